import { readdirSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parse } from 'yaml'
import { type Checkout, type FileChange, kebab, Refusal, yamlText } from './change.ts'
import { indexedPaths, withPath } from './index-lines.ts'
import { caseFile, rowText, type Strength } from './requirement.ts'
import { dates, newestDate } from './versions.ts'

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const

export interface OperationAnswers {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The name of a tag, such as `Alerts`. */
  readonly area: string
  /** The imperative sentence that heads the page of the operation. */
  readonly summary: string
  /** The schema of what it answers; a new one is laid out. */
  readonly schema?: string
  readonly role: string
  readonly strength: Strength
  readonly source: string
  /** The first date that has it; the newest unless told. */
  readonly since?: string
}

/**
 * The files of a new operation, in the documents, the ledger, the server and the kit: all that the change table
 * names. They build; the server answers 500 and the kit reports KIT ERROR until both are written.
 *
 * @throws {Refusal} if something is taken or not known.
 */
export function planOperation(checkout: Checkout, answers: OperationAnswers): FileChange[] {
  const method = methods.find((one) => one === answers.method.toLowerCase())
  if (method === undefined)
    throw new Refusal(`--method ${answers.method}: one of ${methods.join(', ')} was expected`)
  if (!/^[a-z]+[A-Z][A-Za-z]*$/.test(answers.id))
    throw new Refusal(`${answers.id} is no operation id: a verb and a noun in camel case were expected`)
  const since = versionSince(checkout, answers.since)
  const area = areaOf(checkout, answers.area)
  for (const name of parametersOf(answers.path)) requireParameter(checkout, name)
  const layout = { ...answers, method, since, folder: area }
  return [
    ...planPath(checkout, layout),
    ...planSchema(checkout, layout),
    ...planRow(checkout, layout),
    ...planServer(checkout, layout),
  ]
}

interface Layout extends OperationAnswers {
  readonly method: (typeof methods)[number]
  readonly folder: string
}

const versionSince = (checkout: Checkout, since = newestDate(checkout).id): string => {
  const known = dates(checkout).map(({ id }) => id)
  if (!known.includes(since)) throw new Refusal(`--since ${since}: one of ${known.join(', ')} was expected`)
  return since
}

const areaOf = (checkout: Checkout, area: string): string => {
  const tags: readonly { name: string }[] = parse(checkout.read('spec/shared/tags.yaml'))
  if (!tags.some(({ name }) => name === area))
    throw new Refusal(`--area ${area}: one of ${tags.map(({ name }) => name).join(', ')} was expected`)
  return area.toLowerCase().replaceAll(' ', '-')
}

const parametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

const requireParameter = (checkout: Checkout, name: string): void => {
  if (checkout.has(`spec/shared/parameters/${name}.yaml`)) return
  const known = readdirSync(join(checkout.root, 'spec/shared/parameters')).map((file) => file.slice(0, -5))
  throw new Refusal(`{${name}} is no parameter of spec/shared/parameters, which has ${known.join(', ')}`)
}

/** The path item, and its line in every index from the first date on. */
function planPath(checkout: Checkout, layout: Layout): FileChange[] {
  const { path, since = '', method, id } = layout
  const later = dates(checkout).filter((row) => row.id >= since)
  const indexes = later.map((row) => ({ row, file: `spec/${row.folder}/openapi.yaml` }))
  const there = indexes.map(({ file }) => {
    const reference = indexedPaths(checkout.read(file)).get(path)
    return reference === undefined ? undefined : posix.join(dirname(file), reference)
  })
  const [existing] = there
  if (existing === undefined) {
    const file = `spec/v2/${since}/paths/${kebab(id)}.yaml`
    if (checkout.has(file)) throw new Refusal(`${file} is there already`)
    return [
      {
        path: file,
        text: `${pathHead(layout)}${methodText(layout)}`,
        next: 'describe it, and give it examples',
      },
      ...indexes.map(({ row, file: index }) => ({
        path: index,
        text: withPath(
          checkout.read(index),
          path,
          row.id === since ? `paths/${kebab(id)}.yaml` : `../${since}/paths/${kebab(id)}.yaml`,
        ),
      })),
    ]
  }
  const shared = there.some((file) => file !== existing) || !existing.startsWith(`spec/v2/${since}/`)
  if (shared)
    throw new Refusal(
      `${path} is described by ${existing}, which other versions share: give ${since} a file of its own first ` +
        '(docs/adr/0001-generations-share-path-items.md)',
    )
  const text = checkout.read(existing)
  if (method in parse(text)) throw new Refusal(`${existing} has a ${method} already`)
  return [{ path: existing, text: `${text.trimEnd()}\n${methodText(layout)}`, next: 'describe it' }]
}

const pathHead = ({ path }: Layout): string => {
  const names = parametersOf(path)
  if (names.length === 0) return ''
  const lines = names.map((name) => `  - $ref: ../../../shared/parameters/${name}.yaml\n`)
  return `parameters:\n${lines.join('')}`
}

const methodText = (layout: Layout): string => {
  const { method, id, summary, area, strength, source, role, since, schema } = layout
  const mediaType = `application/vnd.svc.${since}+json`
  const body =
    method === 'post' || method === 'put' || method === 'patch'
      ? [
          '  requestBody:',
          '    description: What is asked for.',
          '    required: true',
          '    content:',
          `      ${mediaType}:`,
          `        schema: { $ref: ../schemas/${schema ?? 'Resource'}Request.yaml }`,
        ]
      : []
  const content =
    schema === undefined
      ? []
      : ['      content:', `        ${mediaType}:`, `          schema: { $ref: ../schemas/${schema}.yaml }`]
  const success = method === 'delete' ? '204' : '200'
  return [
    `${method}:`,
    `  operationId: ${id}`,
    `  summary: ${yamlText(summary)}`,
    `  description: ${yamlText(`${summary}.`)}`,
    `  tags: [ ${area} ]`,
    `  x-strength: ${strength}`,
    `  x-source: ${yamlText(source)}`,
    `  x-roles: [ ${role} ]`,
    '  parameters:',
    '    - $ref: ../../../shared/parameters/envelope.yaml',
    '    - $ref: ../../../shared/parameters/pretty.yaml',
    ...body,
    '  responses:',
    `    "${success}":`,
    '      description: Done.',
    ...content,
    '',
  ].join('\n')
}

function planSchema(checkout: Checkout, layout: Layout): FileChange[] {
  const { schema, since, method, strength, source } = layout
  if (schema === undefined) return []
  const asks = method === 'post' || method === 'put' || method === 'patch'
  const names = asks ? [schema, `${schema}Request`] : [schema]
  return names.flatMap((name) => {
    const path = `spec/v2/${since}/schemas/${name}.yaml`
    if (checkout.has(path)) return []
    const text = [
      `title: ${name}`,
      'description: ""',
      'type: object',
      'required: []',
      'properties: {}',
      ...(name.endsWith('Request') ? ['additionalProperties: false'] : []),
      `x-strength: ${strength}`,
      `x-source: ${yamlText(source)}`,
      'examples: []',
      '',
    ].join('\n')
    return [{ path, text, next: 'describe it and its properties; the linter names what is missing' }]
  })
}

function planRow(checkout: Checkout, layout: Layout): FileChange[] {
  const { id, area, folder, schema, summary, strength, source } = layout
  const path = `spec/requirements/${folder}/${id}.yaml`
  if (checkout.has(path)) throw new Refusal(`${path} is there already`)
  const promise = schema === undefined ? 'done' : `answers-with-${kebab(schema)}`
  const row = rowText({ id: `${id}.${promise}`, strength, text: `${summary}.`, source })
  const covers = schema === undefined ? '' : `    covers:\n      - schema:${schema}\n`
  return [
    {
      path,
      text: `area: ${area}\noperations: [ ${id} ]\nrows:\n${row}${covers}`,
      next: 'a row for each promise that an implementation could get wrong',
    },
    {
      path: `packages/contract/src/cases/${folder}/${id}.ts`,
      text: caseFile([
        `  /** ${summary}. */\n  '${id}.${promise}': always(async () => {\n` +
          `    throw new Error('The case of ${id}.${promise} is not written yet')\n  }),\n`,
      ]),
      next: 'write the case: until then its verdict is KIT ERROR',
    },
  ]
}

const planServer = (checkout: Checkout, { id, folder }: Layout): FileChange[] => {
  const path = `packages/server/src/operations/${folder}/${id}.ts`
  if (checkout.has(path)) throw new Refusal(`${path} is there already`)
  const text = `import { operation } from '../operation.ts'

export default operation('${id}', async () => {
  throw new Error('${id} is not written yet')
})
`
  return [{ path, text, next: 'answer; until then the server does with 500' }]
}
