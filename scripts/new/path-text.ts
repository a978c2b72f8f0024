import { yamlText } from './change.ts'
import { parametersOf } from './expected.ts'
import type { Layout } from './operation.ts'
import type { Place } from './schema-place.ts'

/** What all methods of a path item share. */
export const pathHead = ({ path }: Layout): string => {
  const names = parametersOf(path)
  if (names.length === 0) return ''
  const lines = names.map((name) => `  - $ref: ../../../shared/parameters/${name}.yaml\n`)
  return `parameters:\n${lines.join('')}`
}

/** A method of a path item. */
export function methodText(layout: Layout): string {
  const { method, id, summary, area, strength, source, role, since, answered, asked, path } = layout
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
    ...(asked
      ? [
          '  requestBody:',
          '    description: What is asked for.',
          '    required: true',
          ...contentText(asked, since).map((line) => `    ${line}`),
        ]
      : []),
    '  responses:',
    `    "${answered ? 200 : 204}":`,
    '      description: Done.',
    ...(answered ? contentText(answered, since).map((line) => `      ${line}`) : []),
    '',
  ].join('\n')
}

/** What a caller meets most often: a resource that there is not, or where the path names none, nobody known. */
const failureOf = (path: string): string =>
  parametersOf(path).length > 0 ? 'RESOURCE_NOT_FOUND' : 'UNAUTHORIZED'

/** The client is not built without an example. */
const contentText = ({ reference }: Place, since: string): string[] => [
  'content:',
  `  application/vnd.svc.${since}+json:`,
  `    schema: { $ref: ${reference} }`,
  '    examples:',
  '      first:',
  '        summary: An example',
  '        value: {}',
]
