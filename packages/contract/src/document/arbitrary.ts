import type { Arbitrary, Generate } from '../engine/generated.ts'
import { isArray, isObject, type Json, type JsonObject, parseJson, withValue } from './json.ts'

type Path = readonly string[]

/** The paths to all values in a value, its own first: what is made smaller goes towards the root. */
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

/** A value replaced, removed (`undefined`), or put beside what is there. */
interface Edit {
  readonly path: Path
  readonly value: Json | undefined
}

/** Text of any characters, half of them ASCII; no lone surrogates, which UTF-8 cannot say. */
export const anyText = (generate: Generate, maxLength?: number): Arbitrary<string> =>
  generate.string({ unit: anyCharacter(generate), ...(maxLength !== undefined && { maxLength }) })

/** Text of any characters that any database can hold, and some that not everybody keeps as they are. */
export const keepableText = (generate: Generate, maxLength: number): Arbitrary<string> =>
  generate.string({ unit: keepableCharacter(generate), maxLength })

/** The library's own unit of this kind takes a second to begin with. */
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

/** What somebody who normalises text (UAX #15) does not keep: the ångström sign, and an accent after its letter. */
const normalised = ['\u212b', '\u0301'] as const

/** Any but U+0000, which not every database can hold. */
const keepableCharacter = (generate: Generate): Arbitrary<string> =>
  generate.oneof(
    { arbitrary: anyCharacter(generate, 1), weight: 4 },
    { arbitrary: generate.constantFrom(...normalised), weight: 1 },
  )

const anyJson = (generate: Generate, stringUnit = anyCharacter(generate)): Arbitrary<Json> =>
  // What `JSON.parse` made is JSON, whatever the library calls its type.
  generate.json({ maxDepth: 2, stringUnit }).map((text) => parseJson(text) ?? null)

/** An object with up to three members of any name and value that any database can hold. */
export const keepableObject = (generate: Generate): Arbitrary<JsonObject> =>
  generate.dictionary(keepableText(generate, 8), anyJson(generate, keepableCharacter(generate)), {
    maxKeys: 3,
  })

/** Characters of the JSON of a value. */
const sizeOf = (value: Json): number => JSON.stringify(value).length

/** One of some values; what is made smaller goes towards the first of them, and need not get there. */
const oneOf = (generate: Generate, ...choices: readonly Json[]): Arbitrary<Json> =>
  generate.nat(choices.length - 1).map((index) => choices[index] ?? null)

/** Any value; two in three are such as the given value has elsewhere, or such as are often at a bound. */
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

/** A JSON value with one to three things in it changed. */
export const editedJson = (generate: Generate, json: Json): Arbitrary<Json> =>
  generate
    .array(edits(generate, json), { minLength: 1, maxLength: 3 })
    .map((made) => made.reduce<Json>((before, { path, value }) => withValue(before, path, value), json))

/** Characters that mean something to whoever reads JSON, paths, media types or times. */
const telling = [...'{}[]":,\\/0-9.eE+ntf \t\'#;=%*']

/** A text with one to three pieces of it taken out, put in or replaced; all that is put in is printable ASCII. */
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
