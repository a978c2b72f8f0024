import { yamlText } from './change.ts'
import { parametersOf } from './expected.ts'
import type { Layout } from './new-operation.ts'
import type { SchemaLocation } from './schema-place.ts'

/** Returns the first part of a path item, which is the same for all methods. */
export const pathHead = ({ path }: Layout): string => {
  const names = parametersOf(path)
  if (names.length === 0) return ''
  const lines = names.map((name) => `  - $ref: ../../../shared/parameters/${name}.yaml\n`)
  return `parameters:\n${lines.join('')}`
}

/** Returns the text of one method in a path item. */
export function methodText(layout: Layout): string {
  const { method, id, summary, area, strength, source, role, since, responseSchema, requestSchema, path } =
    layout
  return [
    `${method}:`,
    `  operationId: ${id}`,
    `  summary: ${yamlText(summary)}`,
    `  description: ${yamlText(`${summary}.`)}`,
    `  tags: [ ${area} ]`,
    `  x-strength: ${strength}`,
    `  x-source: ${yamlText(source)}`,
    `  x-roles: [ ${role} ]`,
    '  x-failure:',
    `    code: ${failureOf(path)}`,
    '    detail: ""',
    '  parameters:',
    '    - $ref: ../../../shared/parameters/envelope.yaml',
    '    - $ref: ../../../shared/parameters/pretty.yaml',
    ...(requestSchema
      ? [
          '  requestBody:',
          '    description: The request.',
          '    required: true',
          ...contentText(requestSchema, since).map((line) => `    ${line}`),
        ]
      : []),
    '  responses:',
    `    "${responseSchema ? 200 : 204}":`,
    '      description: Success.',
    ...(responseSchema ? contentText(responseSchema, since) : [`content: { ${mediaTypeOf(since)}: {} }`]).map(
      (line) => `      ${line}`,
    ),
    '',
  ].join('\n')
}

/**
 * Returns the name of the most common error: an unknown resource or, if the path has no parameters, missing
 * credentials.
 */
const failureOf = (path: string): string =>
  parametersOf(path).length > 0 ? 'RESOURCE_NOT_FOUND' : 'UNAUTHORIZED'

const mediaTypeOf = (since: string): string => `application/vnd.svc.${since}+json`

/** Returns the text that describes a body. The text includes an example because the client's build requires one. */
const contentText = ({ reference }: SchemaLocation, since: string): string[] => [
  'content:',
  `  ${mediaTypeOf(since)}:`,
  `    schema: { $ref: ${reference} }`,
  '    examples:',
  '      first:',
  '        summary: An example',
  '        value: {}',
]
