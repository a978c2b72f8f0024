import { expect, test } from 'vitest'
import { flagOf, optionSpecs } from './options.ts'
import { optionsHelp } from './options-help.ts'

const help = optionsHelp('1.2.3')

test('the help lists every option with its default', () => {
  for (const [name, { default: value }] of Object.entries(optionSpecs)) {
    expect(help).toContain(`  --${flagOf(name)}`)
    if (typeof value === 'number') expect(help.replace(/\s+/g, ' ')).toContain(`(default: ${value})`)
  }
  expect(help).toContain('svc-admin-server 1.2.3')
  expect(help).toContain('--no-')
})

test('the help shows the value type of options, and none for boolean options', () => {
  for (const [name, { default: value }] of Object.entries(optionSpecs)) {
    const placeholder = { boolean: ' ', number: ' <n>', string: ' <text>' }[
      typeof value as 'boolean' | 'number' | 'string'
    ]
    expect(help).toMatch(new RegExp(`  --${flagOf(name)}${placeholder}(?!<)`))
  }
})

test('the help fits in 80 columns', () => {
  expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
})
