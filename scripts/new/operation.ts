import { dirname, posix } from 'node:path'
import { parse } from 'yaml'
import { type Checkout, comment, type FileChange, kebab, Refusal, yamlText } from './change.ts'
import { areaFolder, requireLayable } from './expected.ts'
import { indexedPaths, withPath } from './index-lines.ts'
import { methodText, pathHead } from './path-text.ts'
import { caseFile, rowText, type Strength, unwrittenCase } from './requirement.ts'
import { type Place, placeOfSchema } from './schema-place.ts'
import { dates, newestDate } from './versions.ts'

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const

export interface OperationResponses {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The name of a tag, such as `Alerts`. */
  readonly area: string
  /** The imperative sentence that heads the page of the operation. */
  readonly summary: string
  /**
   * The schema of what it answers, and with `Request` behind it of what it takes: the one that is there, or a new one.
   * Without it there is neither body.
   */
  readonly schema?: string
  readonly role: string
  readonly strength: Strength
  readonly source: string
  /** The first date that has it; the newest unless told. */
  readonly since?: string
}

/**
 * The files of a new operation, in the documents, the ledger, the server, the kit and the example of an implementer:
 * all that the change table names. They build; the servers answer 500 and the kit reports KIT ERROR until they are
 * written.
 *
 * @throws {Refusal} if something is taken, not known, or of a form that the linter refuses.
 */
export function planOperation(checkout: Checkout, responses: OperationResponses): FileChange[] {
  const method = methods.find((one) => one === responses.method.toLowerCase())
  if (method === undefined)
    throw new Refusal(`--method ${responses.method}: one of ${methods.join(', ')} was expected`)
  const since = versionSince(checkout, responses.since)
  requireLayable(checkout, { ...responses, method })
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

export interface Layout extends OperationResponses {
  readonly method: (typeof methods)[number]
  readonly folder: string
  readonly since: string
  readonly answered?: Place
  readonly asked?: Place
}

const versionSince = (checkout: Checkout, since = newestDate(checkout).id): string => {
  const known = dates(checkout).map(({ id }) => id)
  if (!known.includes(since)) throw new Refusal(`--since ${since}: one of ${known.join(', ')} was expected`)
  return since
}

const schemasOf = (
  checkout: Checkout,
  { schema, method }: Pick<Layout, 'schema' | 'method'>,
  since: string,
): Pick<Layout, 'answered' | 'asked'> => {
  if (schema === undefined) return {}
  const answered = placeOfSchema(checkout, schema, since)
  if (method === 'get') return { answered }
  return { answered, asked: placeOfSchema(checkout, `${schema}Request`, since) }
}

/** The path item, and its line in every index from the first date on. */
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
        next: `describe it, and give it examples${referredTo(layout)}; where v1.0 has it too, its line goes into ${v1Index}`,
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
    throw new Refusal(
      `${path} is described by ${existing}, which other versions share: give ${since} a file of its own first ` +
        '(docs/adr/0001-generations-share-path-items.md)',
    )
  const text = checkout.read(existing)
  if (method in parse(text)) throw new Refusal(`${existing} has a ${method} already`)
  const next = `describe it, and give it examples${referredTo(layout)}`
  return [{ path: existing, text: `${text.trimEnd()}\n${methodText(layout)}`, isNew: false, next }]
}

/** Generations share path items, but not every operation of a date is one of v1.0: nobody but its author knows. */
const v1Index = 'spec/v1.0/openapi.yaml'

/** What a path file takes of the schemas that are there. */
const referredTo = ({ answered, asked }: Layout): string =>
  [answered, asked]
    .flatMap((place) => (place === undefined || place.isNew ? [] : [`; it refers to ${place.path}`]))
    .join('')

const planSchemas = ({ answered, asked, strength, source }: Layout): FileChange[] =>
  [answered, asked].flatMap((place) => {
    if (!place?.isNew) return []
    const text = [
      `title: ${place.name}`,
      'description: ""',
      'type: object',
      ...(place === asked
        ? ['required: []', 'properties: {}', 'additionalProperties: false']
        : ['required: [ links ]', 'properties:', '  links: { $ref: ../../../shared/schemas/Links.yaml }']),
      `x-strength: ${strength}`,
      `x-source: ${yamlText(source)}`,
      'examples: []',
      '',
    ].join('\n')
    const next = 'describe it and its properties; the linter names what is missing'
    return [{ path: place.path, text, isNew: true, next }]
  })

function planRow({ id, area, folder, summary, strength, source, ...layout }: Layout): FileChange[] {
  const { schema, answered, asked } = layout
  const promise = `${id}.${schema === undefined ? 'done' : `answers-with-${kebab(schema)}`}`
  const text = `${summary}.`
  const covered = [answered, asked].flatMap((place) => (place ? [`      - schema:${place.name}\n`] : []))
  const covers = covered.length === 0 ? '' : `    covers:\n${covered.join('')}`
  return [
    {
      path: `spec/requirements/${folder}/${id}.yaml`,
      text: `area: ${area}\noperations: [ ${id} ]\nrows:\n${rowText({ id: promise, strength, text, source })}${covers}`,
      isNew: true,
      next: `a row for each promise that an implementation could get wrong${decision(strength)}`,
    },
    {
      path: `packages/contract/src/cases/${folder}/${id}.ts`,
      text: caseFile([unwrittenCase({ id: promise, text })]),
      isNew: true,
      next: 'write the case: until then its verdict is KIT ERROR',
    },
  ]
}

const decision = (strength: Strength): string =>
  strength === 'decided' ? ', and the decision that speaks of it in spec/ledger/index/decided-*.yaml' : ''

const planServer = ({ id, folder }: Layout): FileChange[] => {
  const text = `import { operation } from '../operation.ts'

export default operation('${id}', async () => {
  throw new Error('${id} is not written yet')
})
`
  const path = `packages/server/src/operations/${folder}/${id}.ts`
  return [{ path, text, isNew: true, next: 'answer; until then the server does with 500' }]
}

const example = 'examples/implementer/src'

/** The example of an implementer has every operation of the areas that it names. */
function planExample(checkout: Checkout, { id, area, summary }: Layout): FileChange[] {
  const areas = /^export const areas = \[(.*)\]/m.exec(checkout.read(`${example}/routes.ts`))?.[1] ?? ''
  if (!areas.includes(`'${area}'`)) return []
  const path = `${example}/operations.ts`
  const text = checkout.read(path)
  const end = text.lastIndexOf('}')
  const handler = `
  ${comment(`${summary}.`)}
  ${id}: () => {
    throw new Error('${id} is not written yet')
  },
`
  return [
    {
      path,
      text: `${text.slice(0, end)}${handler}${text.slice(end)}`,
      isNew: false,
      next: 'answer there too: the example has every operation of its areas',
    },
  ]
}
