/** A JSON Schema for each of our extensions. Extensions that aren't in this list are treated as misspelled. */
const text = { type: 'string', minLength: 1 }
const texts = { type: 'array', items: text, uniqueItems: true }
const values = { ...texts, items: { anyOf: [text, { type: 'number' }] } }
const flag = { const: true }
const date = { type: 'string', format: 'date' }

export const extensions: Record<string, object> = {
  'x-strength': { enum: ['stated', 'decided', 'open'] },
  'x-source': text,
  // The decision behind each keyword that is our own choice. The schema itself has a different `x-strength`.
  'x-decided': {
    type: 'object',
    minProperties: 1,
    additionalProperties: { type: 'string', pattern: '^(decided: \\S.*|RFC \\d+ §[\\d.]+)$' },
  },
  'x-area': text,
  'x-roles': { ...texts, minItems: 1 },
  'x-errors': { ...texts, minItems: 1 },
  // The error that occurs most often, with a sentence that explains it.
  'x-failure': {
    type: 'object',
    required: ['code', 'detail'],
    additionalProperties: false,
    properties: { code: text, detail: { type: 'string' }, parameters: { ...texts, minItems: 1 } },
  },
  // The error codes of a response, as a list.
  // In the schema, this is `true` for the property that contains the code, and the build adds `x-known-values` there.
  'x-error-codes': { anyOf: [{ ...texts, minItems: 1 }, flag] },
  'x-token-errors': flag,
  'x-event-types': flag,
  'x-known-values': { ...values, minItems: 1 },
  // Optional fields that all useful requests contain. The client's request types require them.
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
