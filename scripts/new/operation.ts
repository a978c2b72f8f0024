import { dirname, posix } from 'node:path'
import { parse } from 'yaml'
import { type Checkout, type FileChange, InputError, kebab, yamlText } from './change.ts'
import { areaFolder, checkInputs } from './expected.ts'
import { indexedPaths, withPath } from './index-lines.ts'
import { type Layout, methods, type NewOperation } from './new-operation.ts'
import { methodText, pathHead } from './path-text.ts'
import { caseFile, rowText, unwrittenCase } from './requirement.ts'
import { placeOfSchema } from './schema-place.ts'
import type { Strength } from './strength.ts'
import { dates, newestDate } from './versions.ts'

/**
 * Plans the files for a new operation: in the documents, the ledger, the server, the kit and the example
 * implementation. The result can be built immediately. Until you complete the files, the servers return 500 and the kit
 * reports KIT ERROR.
 *
 * @throws {InputError} if a name is unknown or already in use, or if a value violates a lint rule.
 */
export function planOperation(checkout: Checkout, responses: NewOperation): FileChange[] {
  const method = methods.find((one) => one === responses.method.toLowerCase())
  if (method === undefined)
    throw new InputError(`--method ${responses.method}: must be one of ${methods.join(', ')}`)
  const since = versionSince(checkout, responses.since)
  checkInputs(checkout, { ...responses, method })
  const schemas = schemasOf(checkout, { ...responses, method }, since)
  const layout = { ...responses, ...schemas, method, since, folder: areaFolder(responses.area) }
  return [
    ...planPath(checkout, layout),
    ...planSchemas(layout),
    ...planRow(layout),
    ...planServer(layout),
    ...planExample(checkout, layout),
  ]
}

const versionSince = (checkout: Checkout, since = newestDate(checkout).id): string => {
  const known = dates(checkout).map(({ id }) => id)
  if (!known.includes(since)) throw new InputError(`--since ${since}: must be one of ${known.join(', ')}`)
  return since
}

const schemasOf = (
  checkout: Checkout,
  { schema, method }: Pick<Layout, 'schema' | 'method'>,
  since: string,
): Pick<Layout, 'responseSchema' | 'requestSchema'> => {
  if (schema === undefined) return {}
  const responseSchema = placeOfSchema(checkout, schema, since)
  if (method === 'get') return { responseSchema }
  return { responseSchema, requestSchema: placeOfSchema(checkout, `${schema}Request`, since) }
}

/** Plans a path item, and a line in the index of each version that contains the operation. */
function planPath(checkout: Checkout, layout: Layout): FileChange[] {
  const { path, since, method, id } = layout
  const indexes = dates(checkout)
    .filter((row) => row.id >= since)
    .map((row) => ({ row, file: `spec/${row.folder}/openapi.yaml` }))
  const there = indexes.map(({ file }) => {
    const reference = indexedPaths(checkout.read(file)).get(path)
    return reference === undefined ? undefined : posix.join(dirname(file), reference)
  })
  const existing = there.find((file) => file !== undefined)
  if (existing === undefined) {
    const own = `paths/${kebab(id)}.yaml`
    return [
      {
        path: `spec/v2/${since}/${own}`,
        text: `${pathHead(layout)}${methodText(layout)}`,
        isNew: true,
        next: `add descriptions and examples${referredTo(layout)}; if v1.0 has the operation too, add its line to ${v1Index}`,
      },
      ...indexes.map(({ row, file }) => ({
        path: file,
        text: withPath(checkout.read(file), path, row.id === since ? own : `../${since}/${own}`),
        isNew: false,
      })),
    ]
  }
  const isShared = there.some((file) => file !== existing) || !existing.startsWith(`spec/v2/${since}/`)
  if (isShared)
    throw new InputError(
      `${path} is described by ${existing}, which other versions share: create a separate file for ${since} first ` +
        '(docs/adr/0001-generations-share-path-items.md)',
    )
  const text = checkout.read(existing)
  if (method in parse(text)) throw new InputError(`${existing} already has ${method}`)
  const next = `add descriptions and examples${referredTo(layout)}`
  return [{ path: existing, text: `${text.trimEnd()}\n${methodText(layout)}`, isNew: false, next }]
}

/**
 * The index of v1.0. Both generations use the same path items, but only the author can decide whether v1.0 contains the
 * operation.
 */
const v1Index = 'spec/v1.0/openapi.yaml'

/** Returns the existing schemas that a path file must refer to. */
const referredTo = ({ responseSchema, requestSchema }: Layout): string =>
  [responseSchema, requestSchema]
    .flatMap((place) => (place === undefined || place.isNew ? [] : [`; it refers to ${place.path}`]))
    .join('')

const planSchemas = ({ responseSchema, requestSchema, strength, source }: Layout): FileChange[] =>
  [responseSchema, requestSchema].flatMap((place) => {
    if (!place?.isNew) return []
    const text = [
      `title: ${place.name}`,
      'description: ""',
      'type: object',
      ...(place === requestSchema
        ? ['required: []', 'properties: {}', 'additionalProperties: false']
        : ['required: [ links ]', 'properties:', '  links: { $ref: ../../../shared/schemas/Links.yaml }']),
      `x-strength: ${strength}`,
      `x-source: ${yamlText(source)}`,
      'examples: []',
      '',
    ].join('\n')
    const next = 'add a description and properties; the linter reports what is missing'
    return [{ path: place.path, text, isNew: true, next }]
  })

function planRow({ id, area, folder, summary, strength, source, ...layout }: Layout): FileChange[] {
  const { schema, responseSchema, requestSchema } = layout
  const promise = `${id}.${schema === undefined ? 'done' : `answers-with-${kebab(schema)}`}`
  const text = `${summary}.`
  const covered = [responseSchema, requestSchema].flatMap((place) =>
    place ? [`      - schema:${place.name}\n`] : [],
  )
  const covers = covered.length === 0 ? '' : `    covers:\n${covered.join('')}`
  return [
    {
      path: `spec/requirements/${folder}/${id}.yaml`,
      text: `area: ${area}\noperations: [ ${id} ]\nrows:\n${rowText({ id: promise, strength, text, source })}${covers}`,
      isNew: true,
      next: `add a row for each requirement that an implementation could violate${decision(strength)}`,
    },
    {
      path: `packages/contract/src/cases/${folder}/${id}.ts`,
      text: caseFile([unwrittenCase(promise)]),
      isNew: true,
      next: 'write the case; until you do, its verdict is KIT ERROR',
    },
  ]
}

const decision = (strength: Strength): string =>
  strength === 'decided' ? ', and record the decision in spec/ledger/index/decided-*.yaml' : ''

const planServer = ({ id, folder }: Layout): FileChange[] => {
  const text = `import { operation } from '../operation.ts'

export default operation('${id}', async () => {
  throw new Error('${id} is not written yet')
})
`
  const path = `packages/server/src/operations/${folder}/${id}.ts`
  return [{ path, text, isNew: true, next: 'implement the operation; until you do, the server returns 500' }]
}

const example = 'examples/implementer/src'

/**
 * Plans the changes to the example implementation. The example must contain all operations in each area that it
 * implements.
 */
function planExample(checkout: Checkout, { id, area, summary }: Layout): FileChange[] {
  const areas = /^export const areas = \[(.*)\]/m.exec(checkout.read(`${example}/routes.ts`))?.[1] ?? ''
  if (!areas.includes(`'${area}'`)) return []
  const path = `${example}/operations.ts`
  const text = checkout.read(path)
  const end = text.lastIndexOf('}')
  const handler = `
  /** ${summary}. */
  ${id}: () => {
    throw new Error('${id} is not written yet')
  },
`
  return [
    {
      path,
      text: `${text.slice(0, end)}${handler}${text.slice(end)}`,
      isNew: false,
      next: 'implement it here too, because the example implements all operations of its areas',
    },
  ]
}
