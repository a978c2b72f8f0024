/** The schema of each extension. An extension that isn't listed here is misspelled. */
const text = { type: 'string', minLength: 1 }
const texts = { type: 'array', items: text, uniqueItems: true }
const values = { ...texts, items: { anyOf: [text, { type: 'number' }] } }
const flag = { const: true }
const date = { type: 'string', format: 'date' }

export const extensions: Record<string, object> = {
  'x-strength': { enum: ['stated', 'decided', 'open'] },
  'x-source': text,
  // The keywords that are our decision even if the schema's x-strength differs, each with its decision.
  'x-decided': {
    type: 'object',
    minProperties: 1,
    additionalProperties: { type: 'string', pattern: '^(decided: \\S.*|RFC \\d+ §[\\d.]+)$' },
  },
  'x-area': text,
  'x-roles': { ...texts, minItems: 1 },
  'x-errors': { ...texts, minItems: 1 },
  // The most frequent error, explained in a sentence.
  'x-failure': {
    type: 'object',
    required: ['code', 'detail'],
    additionalProperties: false,
    properties: { code: text, detail: { type: 'string' }, parameters: { ...texts, minItems: 1 } },
  },
  // This is a list for a response.
  // The property that contains the code has the value `true`, and the bundle step adds x-known-values there.
  'x-error-codes': { anyOf: [{ ...texts, minItems: 1 }, flag] },
  'x-token-errors': flag,
  'x-event-types': flag,
  'x-known-values': { ...values, minItems: 1 },
  // The fields that useful requests contain, although they are optional. The request types require them.
  'x-recommended': { ...texts, minItems: 1 },
  'x-paged': flag,
  'x-idempotent': flag,
  'x-secret': flag,
  'x-limit': text,
  'x-state-machine': text,
  'x-sunset': date,
  'x-deprecation': {
    type: 'object',
    required: ['date'],
    additionalProperties: false,
    properties: { date, sunset: date, successor: text, generation: text, source: text },
  },
  'x-lint-exceptions': { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
}
