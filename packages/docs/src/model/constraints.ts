import { defaultOf, numberBounds, rangeText, type Schema } from '@svc-admin/spec'
import { type Decisions, marked } from './decisions.ts'

export type Mark = Decisions['mark']

/** Describes the constraints on a value as Markdown. If a constraint is our decision, `mark` is added after it. */
export function constraintsOf(schema: Schema, mark: Mark = unmarked): string[] {
  // Results are cached because many pages show the same schema.
  const cache = known.get(mark) ?? new WeakMap<Schema, string[]>()
  known.set(mark, cache)
  const found = cache.get(schema) ?? described(schema, mark)
  cache.set(schema, found)
  return found
}

const unmarked: Mark = () => ''
const known = new WeakMap<Mark, WeakMap<Schema, string[]>>()

function described(schema: Schema, mark: Mark): string[] {
  const decided = schema['x-decided'] ?? {}
  const otherwise = defaultOf(schema)
  const digits = hexDigits(schema)
  const constraints: Constraint[] = [
    ...(digits
      ? [[digits, 'minLength', 'maxLength', 'pattern'] as const]
      : bounds(schema, 'minLength', 'maxLength', (low, high) => range(low, high, 'character'))),
    ...bounds(schema, 'minItems', 'maxItems', (low, high) => range(low, high, 'item')),
    ...bounds(schema, 'minimum', 'maximum', (minimum, maximum) => numberBounds({ minimum, maximum })),
    [typeof schema.pattern === 'string' && !digits ? `pattern \`${schema.pattern}\`` : undefined, 'pattern'],
    [exclusion(schema.not), 'not'],
    [schema.uniqueItems === true ? 'unique items' : undefined],
    [otherwise === undefined ? undefined : `default \`${JSON.stringify(otherwise)}\``, 'default'],
    [schema.additionalProperties === false ? 'no additional properties' : undefined],
  ]
  return constraints.flatMap(([text, ...keywords]) => {
    if (text === undefined) return []
    const marks = keywords.flatMap((keyword) => (decided[keyword] ? [mark(decided[keyword])] : []))
    return [marked(text, marks)]
  })
}

type Constraint = readonly [text: string | undefined, ...keywords: string[]]
type RangeText = (low: unknown, high: unknown) => string | undefined

/**
 * Describes the lower and the upper bound of a value together. If the bounds come from different decisions, describes
 * them separately.
 */
function bounds(schema: Schema, least: string, most: string, text: RangeText): Constraint[] {
  const { [least]: low, [most]: high, 'x-decided': decided = {} } = schema
  const apart: Constraint[] = [
    [text(low, undefined), least],
    [text(undefined, high), most],
  ]
  // Bounds that every value satisfies aren't described, so their decisions aren't shown either.
  const shown = apart.filter(([each]) => each !== undefined)
  if (shown.length < 2) return shown
  const isOfTwo = decided[least] && decided[most] && decided[least] !== decided[most]
  return isOfTwo ? shown : [[text(low, high), least, most]]
}

/** Describes the length and pattern of an identifier, such as 24 hexadecimal digits. */
function hexDigits({ pattern, minLength, maxLength }: Schema): string | undefined {
  const [, count] = /^\^\(?\[a-f0-9\]\{(\d+)\}\)?\$$/.exec(String(pattern)) ?? []
  const isWhole = [minLength, maxLength].every((length) => length === undefined || length === Number(count))
  return count && isWhole ? `${count} hexadecimal digits` : undefined
}

function exclusion(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { pattern, enum: values }: Schema = { ...schema }
  if (pattern) return `must not match \`${pattern}\``
  return values && `not ${values.map((value) => `\`${value}\``).join(' or ')}`
}

function range(least: unknown, most: unknown, unit: string): string | undefined {
  const low = typeof least === 'number' && least > 0 ? least : undefined
  return rangeText(low, typeof most === 'number' ? most : undefined, unit)
}
