/** The types of JSON Schema, in the words of a refusal. */
export const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  integer: 'a whole number',
  array: 'an array',
  object: 'an object',
}
