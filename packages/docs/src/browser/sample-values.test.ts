import { expect, test } from 'vitest'
import { highlight } from '../content/highlight.ts'
import { sampleCall } from '../samples/call.ts'
import { samplesOf } from '../samples/samples.ts'
import { model } from '../testing/inputs.ts'
import { harmless, withValues } from './sample-values.ts'

const values = {
  SVC_BASE_URL: 'https://db.example.com',
  SVC_GROUP_ID: '5f0000000000000000000001',
  SVC_PUBLIC_KEY: 'public',
  SVC_PRIVATE_KEY: 'private',
  SVC_CLIENT_ID: 'id',
  SVC_CLIENT_SECRET: 'secret',
  SVC_TOKEN: 'token',
}

/** Returns the text of highlighted code, as a browser would show it. */
const shown = (markup: string) =>
  markup
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

test('shows the values in the samples of every language, and no variable', () => {
  const { newest } = model
  const operation = newest.byId.get('createAlertConfig')
  if (!operation) throw new Error('The newest version has no createAlertConfig.')
  for (const { label, text, language } of samplesOf(sampleCall(newest, operation))) {
    const before = String(highlight(text, language))
    const after = shown(withValues(before, values))
    expect(after, label).not.toContain('SVC_')
    expect(after, label).toContain('https://db.example.com')
    expect(after, label).toContain(values.SVC_GROUP_ID)
    expect(after, label).not.toMatch(/'public' \?\?|getenv|environ/i)
    expect(withValues(before, {}), label).toBe(before)
  }
})

test('accepts only characters that cannot end a string', () => {
  expect(harmless.test('https://db.example.com:8080/x_y-z')).toBe(true)
  for (const text of ['a"b', "a'b", 'a\\b', '$(a)', '`a`', '<b>', 'a b', 'a&b'])
    expect(harmless.test(text), text).toBe(false)
})
