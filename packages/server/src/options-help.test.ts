import { expect, test } from 'vitest'
import { flagOf, optionSpecs } from './options.ts'
import { optionsHelp } from './options-help.ts'

const help = optionsHelp('1.2.3')

test('the help names every option with what it is by default', () => {
  for (const [name, { default: value }] of Object.entries(optionSpecs)) {
    expect(help).toContain(`  --${flagOf(name)}`)
    if (typeof value === 'number') expect(help).toContain(`(${value})`)
  }
  expect(help).toContain('svc-admin-server 1.2.3')
  expect(help).toContain('--no-')
})

test('the help says what an option takes, and nothing for what is true or false', () => {
  for (const [name, { default: value }] of Object.entries(optionSpecs)) {
    const taken = { boolean: ' ', number: ' <n>', string: ' <text>' }[
      typeof value as 'boolean' | 'number' | 'string'
    ]
    expect(help).toMatch(new RegExp(`  --${flagOf(name)}${taken}(?!<)`))
  }
})

test('the help fits a terminal of 80 columns', () => {
  expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
})
