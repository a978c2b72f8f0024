import type { Arbitrary, default as Generators } from 'fast-check'
import { isArray, isObject, type Json, type JsonObject, parseJson, withValue } from './json.ts'

export type { Arbitrary }

/** The type of the fast-check library. The library itself is loaded only if a run needs it. */
export type Generate = typeof Generators

type Path = readonly string[]

/** Returns the paths of all values inside a value. The root comes first, because fast-check shrinks toward it. */
const pathsIn = (value: Json): Path[] => {
  const fields: [string, Json][] = isArray(value)
    ? value.map((element, index) => [String(index), element])
    : Object.entries(isObject(value) ? value : {})
  return [[], ...fields.flatMap(([key, field]) => pathsIn(field).map((path) => [key, ...path]))]
}

const namesIn = (value: Json): string[] => [
  ...new Set(
    pathsIn(value)
      .flat()
      .filter((name) => !/^\d+$/.test(name)),
  ),
]

/**
 * A change at a path. The new value replaces or adds a field. If the new value is `undefined`, the edit removes the
 * field.
 */
interface Edit {
  readonly path: Path
  readonly value: Json | undefined
}

/**
 * Generates text with arbitrary characters, about half of which are ASCII. Lone surrogates are excluded,
 * because UTF-8 can't encode them.
 */
export const anyText = (generate: Generate, maxLength?: number): Arbitrary<string> =>
  generate.string({ unit: anyCharacter(generate), ...(maxLength !== undefined && { maxLength }) })

/**
 * Generates text that any database can store. Unicode normalization changes some characters in the text. The text
 * doesn't start or end with white space, which a server may remove.
 */
export const storableText = (generate: Generate, maxLength: number): Arbitrary<string> =>
  generate.string({ unit: storableCharacter(generate), maxLength }).map((text) => text.trim())

/** Generates a character. fast-check's own arbitrary for Unicode text takes a second to initialize. */
const anyCharacter = (generate: Generate, from = 0): Arbitrary<string> =>
  generate
    .oneof(
      generate.integer({ min: 0x20, max: 0x7e }),
      generate.oneof(
        generate.integer({ min: from, max: 0xd7ff }),
        generate.integer({ min: 0xe000, max: 0x10ffff }),
      ),
    )
    .map((point) => String.fromCodePoint(point))

/**
 * Characters that Unicode normalization (UAX #15) changes: the angstrom sign, and an accent that combines
 * with the letter before it.
 */
const normalized = ['\u212b', '\u0301'] as const

/** Generates any character except control characters, which servers may reject. Some databases can't store U+0000. */
const storableCharacter = (generate: Generate): Arbitrary<string> =>
  generate.oneof(
    { arbitrary: anyCharacter(generate, 0xa0), weight: 4 },
    { arbitrary: generate.constantFrom(...normalized), weight: 1 },
  )

const anyJson = (generate: Generate, stringUnit = anyCharacter(generate)): Arbitrary<Json> =>
  // fast-check declares a different type, but `JSON.parse` always returns a JSON value.
  generate.json({ maxDepth: 2, stringUnit }).map((text) => parseJson(text) ?? null)

/** Generates an object that has up to three fields and that any database can store. */
export const storableObject = (generate: Generate): Arbitrary<JsonObject> =>
  generate.dictionary(storableText(generate, 8), anyJson(generate, storableCharacter(generate)), {
    maxKeys: 3,
  })

const sizeOf = (value: Json): number => JSON.stringify(value).length

/** Generates one of several values. fast-check shrinks toward the first one. */
const oneOf = (generate: Generate, ...choices: readonly Json[]): Arbitrary<Json> =>
  generate.nat(choices.length - 1).map((index) => choices[index] ?? null)

/**
 * Generates a value. A third of the values are typical boundary values, a third come from elsewhere in
 * `json`, and the rest are arbitrary.
 */
const values = (generate: Generate, json: Json): Arbitrary<Json> => {
  const known = pathsIn(json).map((path) => path.reduce<Json>(at, json))
  return generate.oneof(
    oneOf(generate, 0, -1, 1.5, '', 'x'),
    oneOf(generate, ...known.sort((one, other) => sizeOf(one) - sizeOf(other))),
    anyJson(generate),
  )
}

const at = (value: Json, key: string): Json => {
  if (isArray(value)) return value[Number(key)] ?? null
  return (isObject(value) ? value[key] : undefined) ?? null
}

const edits = (generate: Generate, json: Json): Arbitrary<Edit> => {
  const paths = generate.constantFrom(...pathsIn(json))
  const value = values(generate, json)
  const name = generate.oneof(
    generate.constantFrom('', 'x', '__proto__', 'constructor', ...namesIn(json)),
    anyText(generate, 8),
  )
  const objects = pathsIn(json).filter((path) => isObject(path.reduce<Json>(at, json)))
  return generate.oneof(
    generate.record({ path: paths, value }),
    paths.map((path) => ({ path, value: undefined })),
    generate
      .record({ within: generate.constantFrom(...(objects.length > 0 ? objects : [[]])), name, value })
      .map(({ within, name, value }) => ({ path: [...within, name], value })),
  )
}

/** Generates a variation of a JSON value with one to three changes. */
export const editedJson = (generate: Generate, json: Json): Arbitrary<Json> =>
  generate
    .array(edits(generate, json), { minLength: 1, maxLength: 3 })
    .map((made) => made.reduce<Json>((before, { path, value }) => withValue(before, path, value), json))

/** Characters that have a special meaning in JSON, paths, media types or times. */
const telling = [...'{}[]":,\\/0-9.eE+ntf \t\'#;=%*']

/**
 * Generates a variation of a string with one to three insertions, deletions or replacements. Inserted characters are
 * printable ASCII.
 */
export const editedText = (generate: Generate, text: string): Arbitrary<string> => {
  const piece = generate.oneof(
    generate.string({ unit: generate.constantFrom(...telling), maxLength: 3 }),
    generate.string({ unit: 'grapheme-ascii', maxLength: 3 }),
  )
  const edit = generate.record({ at: generate.nat(text.length), without: generate.nat(3), piece })
  return generate
    .array(edit, { minLength: 1, maxLength: 3 })
    .map((made) =>
      made.reduce(
        (before, { at, without, piece }) => before.slice(0, at) + piece + before.slice(at + without),
        text,
      ),
    )
}
