/** The names of JSON Schema types in error messages. */
export const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'a boolean',
  number: 'a number',
  integer: 'an integer',
  array: 'an array',
  object: 'an object',
}
