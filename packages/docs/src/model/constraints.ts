import { numberBounds, rangeText, type Schema } from '@svc-admin/spec'
import { type Decisions, marked } from './decisions.ts'

export type Mark = Decisions['mark']

/** The bounds of a value in words, as Markdown; `mark` follows what was decided where the schema is stated. */
export function constraintsOf(schema: Schema, mark: Mark = unmarked): string[] {
  // The same schema is shown wherever it is referred to.
  const made = known.get(mark) ?? new WeakMap<Schema, string[]>()
  known.set(mark, made)
  const found = made.get(schema) ?? described(schema, mark)
  made.set(schema, found)
  return found
}

const unmarked: Mark = () => ''
const known = new WeakMap<Mark, WeakMap<Schema, string[]>>()

function described(schema: Schema, mark: Mark): string[] {
  const decided = schema['x-decided'] ?? {}
  const said: Said[] = [
    ...bounds(schema, 'minLength', 'maxLength', (low, high) => range(low, high, 'character')),
    ...bounds(schema, 'minItems', 'maxItems', (low, high) => range(low, high, 'item')),
    ...bounds(schema, 'minimum', 'maximum', (minimum, maximum) => numberBounds({ minimum, maximum })),
    [typeof schema.pattern === 'string' ? `pattern \`${schema.pattern}\`` : undefined, 'pattern'],
    [refused(schema.not), 'not'],
    [schema.uniqueItems === true ? 'no item twice' : undefined],
    [schema.default === undefined ? undefined : `default \`${JSON.stringify(schema.default)}\``, 'default'],
    [schema.additionalProperties === false ? 'no other members' : undefined],
  ]
  return said.flatMap(([text, ...keywords]) => {
    if (text === undefined) return []
    const marks = keywords.flatMap((keyword) => (decided[keyword] ? [mark(decided[keyword])] : []))
    return [marked(text, marks)]
  })
}

type Said = [text: string | undefined, ...keywords: string[]]
type RangeText = (low: unknown, high: unknown) => string | undefined

/** Two bounds in one text; apart where two decisions chose them, so that each has its own beside it. */
function bounds(schema: Schema, least: string, most: string, text: RangeText): Said[] {
  const { [least]: low, [most]: high, 'x-decided': decided = {} } = schema
  const apart: Said[] = [
    [text(low, undefined), least],
    [text(undefined, high), most],
  ]
  // One that no reader has to know has no text, and no decision to show.
  const shown = apart.filter(([each]) => each !== undefined)
  if (shown.length < 2) return shown
  const isOfTwo = decided[least] && decided[most] && decided[least] !== decided[most]
  return isOfTwo ? shown : [[text(low, high), least, most]]
}

function refused(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { pattern, enum: values }: Schema = { ...schema }
  if (pattern) return `not of the pattern \`${pattern}\``
  return values && `none of ${values.map((value) => `\`${value}\``).join(', ')}`
}

function range(least: unknown, most: unknown, unit: string): string | undefined {
  const low = typeof least === 'number' && least > 0 ? least : undefined
  return rangeText(low, typeof most === 'number' ? most : undefined, unit)
}
