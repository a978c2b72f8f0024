import { asText } from './read/json.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

/**
 * Allowed formats: the formats in JSON Schema 2020-12 (Validation §7.3), and the formats in the OpenAPI registry that
 * tools support.
 */
const formats: Readonly<Record<string, readonly string[]>> = {
  string: [
    'date-time',
    'date',
    'time',
    'duration',
    'email',
    'idn-email',
    'hostname',
    'idn-hostname',
    'ipv4',
    'ipv6',
    'uri',
    'uri-reference',
    'uri-template',
    'iri',
    'iri-reference',
    'uuid',
    'json-pointer',
    'relative-json-pointer',
    'regex',
    'byte',
    'binary',
    'password',
  ],
  integer: ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'],
  number: ['int32', 'int64', 'float', 'double', 'decimal'],
}

export const rule: Rule = {
  id: 'known-format',
  message:
    "a format must be defined in JSON Schema 2020-12 or in the OpenAPI format registry, and must fit the schema's type.",
  why: "Tools ignore a misspelled format, so validators don't check the value, and code generators choose the wrong type.",
  scope: 'any',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return schemasIn(document)
      .filter(({ value }) => 'format' in value)
      .flatMap(({ value, path }) => {
        const types = [value.type ?? Object.keys(formats)].flat().map((type) => asText(type))
        const isKnown = types.some((type) => formats[type]?.includes(asText(value.format)))
        const text = `format ${JSON.stringify(value.format)} is unknown for ${types.join(' or ')}`
        return isKnown ? [] : [{ message: text, path: [...path, 'format'] }]
      })
  },
}
