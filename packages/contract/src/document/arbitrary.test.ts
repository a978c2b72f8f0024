import generate from 'fast-check'
import { expect, test } from 'vitest'
import { anyText, editedJson, editedText, storableText } from './arbitrary.ts'
import { type Json, sameJson } from './json.ts'

const body: Json = { enabled: true, notifications: [{ typeName: 'EMAIL', delayMin: 0 }], name: 'a' }

const sample = <T>(arbitrary: Parameters<typeof generate.sample<T>>[0]): T[] =>
  generate.sample(arbitrary, { numRuns: 1000, seed: 1 })

const fieldsOf = (value: Json): string[] => Object.keys(Object(value))

test('an edited value is JSON and differs from the valid one in a few locations', () => {
  const made = sample(editedJson(generate, body))
  for (const one of made) expect(sameJson(JSON.parse(JSON.stringify(one)), one)).toBe(true)
  const share = (wanted: (one: Json) => boolean) => made.filter(wanted).length / made.length
  expect(share((one) => !sameJson(one, body))).toBeGreaterThan(0.9)
  // Every kind of change must occur: a field is removed, a field is added, the whole value is replaced, or a nested
  // value changes.
  expect(share((one) => fieldsOf(one).length < 3)).toBeGreaterThan(0.1)
  expect(share((one) => fieldsOf(one).length > 3)).toBeGreaterThan(0.1)
  expect(share((one) => typeof one !== 'object' || one === null)).toBeGreaterThan(0.01)
  expect(share((one) => fieldsOf(one).includes('__proto__'))).toBeGreaterThan(0.01)
  expect(share((one) => 'delayMin' in Object(Object(one).notifications?.[0]))).toBeGreaterThan(0.3)
  expect(body).toEqual({ enabled: true, notifications: [{ typeName: 'EMAIL', delayMin: 0 }], name: 'a' })
})

test('an edited value shrinks toward the valid one', () => {
  const property = generate.property(editedJson(generate, body), (one) => fieldsOf(one).length > 2)
  const { counterexample } = generate.check(property, { numRuns: 200, seed: 1 })
  expect(counterexample).toHaveLength(1)
  // One change is enough to break the body, such as an empty value for the whole body or a removed field.
  expect(JSON.stringify(counterexample?.[0]).length).toBeLessThan(JSON.stringify(body).length)
})

test('the value of an edited field shrinks too', () => {
  const isWhole = (one: Json) => Number.isInteger(Object(Object(one).notifications?.[0]).delayMin ?? 0)
  for (let seed = 1; seed <= 20; seed += 1) {
    const property = generate.property(editedJson(generate, body), isWhole)
    const { counterexample } = generate.check(property, { numRuns: 500, seed })
    const [least] = counterexample ?? []
    const { delayMin } = Object(Object(least).notifications?.[0])
    expect(JSON.stringify(delayMin).length, JSON.stringify(least)).toBeLessThan(20)
  }
})

test('an edited text keeps most of the valid one, and insertions are printable', () => {
  const text = JSON.stringify(body)
  const made = sample(editedText(generate, text))
  for (const one of made) {
    expect(one).toMatch(/^[\t\x20-\x7e]*$/)
    expect(Math.abs(one.length - text.length)).toBeLessThanOrEqual(9)
  }
  const unreadable = made.filter((one) => {
    try {
      JSON.parse(one)
      return false
    } catch {
      return true
    }
  })
  expect(unreadable.length).toBeGreaterThan(made.length / 2)
})

test('any text can be encoded, and has characters from all planes', () => {
  const made = sample(anyText(generate))
  for (const one of made) expect(decodeURIComponent(encodeURIComponent(one))).toBe(one)
  const points = made.flatMap((one) => [...one].map((character) => character.codePointAt(0) ?? 0))
  for (const [least, most] of [
    [0x20, 0x7e],
    [0x80, 0xffff],
    [0x10000, 0x10ffff],
  ] as const)
    expect(points.some((point) => point >= least && point <= most)).toBe(true)
})

test('a storable text has no white space that a server may remove', () => {
  const made = sample(storableText(generate, 3))
  expect(made.filter((text) => text !== text.trim())).toEqual([])
})

test.each(['NFC', 'NFD', 'NFKC', 'NFKD'])('of ten short texts, several change in %s', (form) => {
  const made = sample(storableText(generate, 10))
  const tens = Array.from({ length: made.length / 10 }, (_, ten) => made.slice(ten * 10, ten * 10 + 10))
  const telling = tens.filter((ten) => ten.filter((text) => text.normalize(form) !== text).length > 1)
  expect(telling.length / tens.length).toBeGreaterThan(0.9)
})

test('a storable text has no control characters, which a server may reject', () => {
  const made = sample(storableText(generate, 30))
  expect(made.filter((text) => /\p{Cc}/u.test(text))).toEqual([])
})
