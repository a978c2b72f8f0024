import type { Arbitrary, default as Generators } from 'fast-check'
import { isArray, isObject, type Json, type JsonObject, parseJson, withValue } from './json.ts'

export type { Arbitrary }

/** The fast-check library, which is loaded only when a run needs it. */
export type Generate = typeof Generators

type Path = readonly string[]

/** The paths of all values inside a value. The root comes first, because fast-check shrinks toward the first path. */
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

/** A change to a value at a path: a replacement, an addition, or a removal (`undefined`). */
interface Edit {
  readonly path: Path
  readonly value: Json | undefined
}

/**
 * Text with arbitrary characters, half of which are ASCII. It has no lone surrogates, because UTF-8 can't encode them.
 */
export const anyText = (generate: Generate, maxLength?: number): Arbitrary<string> =>
  generate.string({ unit: anyCharacter(generate), ...(maxLength !== undefined && { maxLength }) })

/** Text that any database can store, including characters that Unicode normalization would change. */
export const storableText = (generate: Generate, maxLength: number): Arbitrary<string> =>
  generate.string({ unit: storableCharacter(generate), maxLength })

/** This replaces fast-check's own arbitrary for Unicode text, which takes a second to initialize. */
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
 * Characters that Unicode normalization (UAX #15) changes: the angstrom sign, and a combining accent that follows a
 * letter.
 */
const normalized = ['\u212b', '\u0301'] as const

/** Any character except U+0000, which some databases can't store. */
const storableCharacter = (generate: Generate): Arbitrary<string> =>
  generate.oneof(
    { arbitrary: anyCharacter(generate, 1), weight: 4 },
    { arbitrary: generate.constantFrom(...normalized), weight: 1 },
  )

const anyJson = (generate: Generate, stringUnit = anyCharacter(generate)): Arbitrary<Json> =>
  // `JSON.parse` returns a JSON value, although fast-check declares a different type.
  generate.json({ maxDepth: 2, stringUnit }).map((text) => parseJson(text) ?? null)

/** An object with up to three fields that any database can store. */
export const storableObject = (generate: Generate): Arbitrary<JsonObject> =>
  generate.dictionary(storableText(generate, 8), anyJson(generate, storableCharacter(generate)), {
    maxKeys: 3,
  })

/** The length of a value's JSON text in characters. */
const sizeOf = (value: Json): number => JSON.stringify(value).length

/** Chooses one of several values. Shrinks toward the first value. */
const oneOf = (generate: Generate, ...choices: readonly Json[]): Arbitrary<Json> =>
  generate.nat(choices.length - 1).map((index) => choices[index] ?? null)

/** Any value. Two out of three values are typical boundary values or come from another part of the given value. */
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

/** A JSON value with one to three changes. */
export const editedJson = (generate: Generate, json: Json): Arbitrary<Json> =>
  generate
    .array(edits(generate, json), { minLength: 1, maxLength: 3 })
    .map((made) => made.reduce<Json>((before, { path, value }) => withValue(before, path, value), json))

/** Characters with a special meaning in JSON, paths, media types or times. */
const telling = [...'{}[]":,\\/0-9.eE+ntf \t\'#;=%*']

/** The text with one to three insertions, deletions or replacements. Inserted characters are printable ASCII. */
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
