import { type Block, heading, prose, type TableRow, table } from '../content/block.ts'
import { codeLink, link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import { examplesOf, type OperationModel, type ResponseModel } from '../model/operation-model.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'

/** An error code that an operation can return, with its status and an example body. */
export interface Failure {
  readonly status: string
  readonly code: string
  readonly when: string
  readonly example?: unknown
  /** Whether nearly every operation can return this error. If so, it is described on a separate page. */
  readonly isGeneral: boolean
}

/** Returns all error codes that an operation can return, sorted by status. */
export function failuresOf(model: SiteModel, operation: OperationModel): Failure[] {
  return operation.failures.flatMap((failure) => ofStatus(model, operation, failure))
}

function ofStatus(model: SiteModel, operation: OperationModel, failure: ResponseModel): Failure[] {
  const { errorCodes, tokenErrors } = model.inputs.facts
  const { status, response, body } = failure
  const about = response.description ?? ''
  const examples = examplesOf(body)
  // Examples from the specification source can contain codes that no operation returns, so the list of codes takes
  // precedence.
  const codes = response['x-error-codes'] ?? examples.map(({ name }) => name)
  const main = codes.find((code) => code === operation.operation['x-failure']?.code) ?? codes[0]
  const found = codes.flatMap((code): Failure[] => {
    const tokenError = tokenErrors[code] && `${about.replace(/\.$/, '')}: ${tokenErrors[code].description}.`
    const when = errorCodes[code]?.when ?? tokenError
    if (!when) return []
    const example = examples.find(({ name }) => name === code)?.value
    const isOwn =
      tokenErrors[code] !== undefined ||
      code === operation.operation['x-failure']?.code ||
      (code === main && aboutTheRequest.has(status))
    return [
      {
        status,
        code,
        when,
        ...(example !== undefined && { example }),
        isGeneral: !isOwn && generalCodes(model).has(code),
      },
    ]
  })
  return found.length > 0 ? found : [{ status, code: '', when: about, isGeneral: false }]
}

/**
 * For these statuses, operation pages always show the most important error because it depends on the operation's own
 * parameters and body.
 */
const aboutTheRequest = new Set(['400', '403', '404'])

const cache = new WeakMap<SiteModel, ReadonlySet<string>>()

/** Returns the error codes that nearly all operations, or nearly all operations with a request body, can return. */
export function generalCodes(model: SiteModel): ReadonlySet<string> {
  const known = cache.get(model)
  if (known) return known
  const { operations } = model.newest
  const withBody = operations.filter(({ request }) => request)
  const declares = (code: string) => (each: OperationModel) => each.operation['x-errors']?.includes(code)
  const isGeneral = (code: string) =>
    [operations, withBody].some((all) => all.filter(declares(code)).length > all.length * 0.9)
  const codes = new Set(operations.flatMap(({ operation }) => operation['x-errors'] ?? []).filter(isGeneral))
  cache.set(model, codes)
  return codes
}

/**
 * Lists an operation's errors by status. Errors that nearly every operation can return are described on a separate
 * page.
 */
export function failureBlocks(model: SiteModel, version: VersionModel, operation: OperationModel): Block[] {
  const failures = failuresOf(model, operation)
  if (failures.length === 0) return []
  const general = failures.filter(({ isGeneral }) => isGeneral)
  const schema = operation.failures.flatMap(
    ({ body }) => body?.content.schema.$ref?.split('/').at(-1) ?? [],
  )[0]
  const statuses = [...new Set(general.map(({ status }) => status))].join(', ')
  return [
    heading(2, 'Errors', 'errors'),
    errorTable(failures.filter(({ isGeneral }) => !isGeneral)),
    ...(general.length > 0
      ? [prose(`See also the ${link('errors of every operation', addresses.generalErrors)}: ${statuses}.`)]
      : []),
    ...(schema
      ? [
          prose(
            `Errors use the schema ${codeLink(schema, addresses.schema(version.id, schema))}. See ${link('how to handle errors', addresses.guide('errors'))}.`,
            'quiet',
          ),
        ]
      : []),
  ]
}

const errorTable = (failures: readonly Failure[]): Block =>
  table(
    ['Code', 'Status', 'When'],
    failures.map(
      ({ status, code, when }): TableRow => ({
        cells: [code ? codeLink(code, addresses.error(code)) : 'No code', status, when],
      }),
    ),
  )
