import {
  type HttpMethod,
  ignoredPartsOf,
  loadDocument,
  methods,
  type OpenApiDocument,
  type Operation,
  readOnlyFields,
} from '@svc-admin/spec'
import type { OperationId, OperationRow, OperationVersion, Version } from '@svc-admin/types'
import { operations, versions } from '@svc-admin/types'
import {
  type Document,
  type DocumentOperation,
  openDocument,
  type Parameter,
  type SchemaLocation,
} from '../document/document.ts'
import { isObject, type Json } from '../document/json.ts'
import type { Strength } from '../document/strength.ts'
import { createValidator, type SchemaError, strongest, type Validator } from '../document/validator.ts'

export interface ApiVersion {
  readonly id: Version
  readonly generation: string
  readonly mediaType: string
  readonly prefix: string
  /** The version's document as plain JSON. */
  readonly source: OpenApiDocument
  readonly document: Document
  readonly validator: Validator
}

/**
 * An operation in one of its versions. Each requirement is tested separately for every operation version that it
 * applies to.
 */
export interface Cell {
  /** The name of the operation version, in the format `operationId@version`. */
  readonly key: string
  readonly operation: OperationRow & { readonly id: OperationId }
  readonly version: ApiVersion
  readonly row: OperationVersion
  readonly definition: DocumentOperation
}

/** Returns the schema of an operation's successful response, or `undefined` if the response has no body. */
export const successSchemaOf = ({ definition, row }: Cell): SchemaLocation | undefined =>
  definition.responses.get(row.success)?.content.get(row.mediaType)

/** Returns whether a value is valid for a parameter, according to the document's schema alone. */
export const fits = ({ version }: Cell, { schema }: Parameter, value: Json): boolean =>
  version.validator.check(schema.pointer, value).length === 0

/**
 * Returns the strength of the fact that makes a parameter value invalid. If there are several, returns the strongest.
 */
export const strengthOf = ({ version }: Cell, { schema }: Parameter, value: Json): Strength | undefined =>
  strongest(version.validator.check(schema.pointer, value))?.strength

const sourceOf = ({ version, definition }: Cell): Operation => {
  const method = methods.find((name): name is HttpMethod => name === definition.method.toLowerCase())
  const operation = method && version.source.paths[definition.path]?.[method]
  if (operation === undefined) throw new TypeError(`the document of ${version.id} has no ${definition.id}`)
  return operation
}

/** Returns the read-only fields of the resource, which the operation ignores in requests. */
export const ignoredFieldsOf = (cell: Cell): readonly string[] =>
  readOnlyFields(cell.version.source, sourceOf(cell))

/** Returns the body without the fields that the operation ignores. */
export const withoutIgnored = (cell: Cell, body: Json): Json => {
  const copy = structuredClone(body)
  ignoredPartsOf(cell.version.source, sourceOf(cell))(copy)
  return copy
}

/** Returns the schema errors in a request body. */
export const schemaErrorsOf = ({ version, definition }: Cell, body: Json): readonly SchemaError[] =>
  definition.body ? version.validator.check(definition.body.schema.pointer, body) : []

/** Returns the strongest schema error in a body. Fields that the operation ignores don't count. */
export const schemaErrorOf = (cell: Cell, body: Json): SchemaError | undefined =>
  strongest(schemaErrorsOf(cell, withoutIgnored(cell, body)))

const openVersion = ({ id, generation, mediaType, prefix }: (typeof versions)[number]): ApiVersion => {
  const source = loadDocument(id)
  const root: unknown = source
  if (!isObject(root)) throw new TypeError(`the document of ${id} is not an object`)
  const document = openDocument(id, root)
  return { id, generation, mediaType, prefix, source, document, validator: createValidator(document) }
}

/** The token endpoint is the same in both generations, so only its newest version is tested. */
const isRepeated = (operation: OperationRow, version: string): boolean =>
  operation.absolute && version !== Object.keys(operation.versions).at(-1)

const cellsOf = (id: OperationId, opened: ReadonlyMap<string, ApiVersion>): Cell[] => {
  const operation: OperationRow = operations[id]
  const cells: Cell[] = []
  for (const [versionId, row] of Object.entries(operation.versions)) {
    const version = opened.get(versionId)
    const definition = version?.document.operations.get(id)
    if (version === undefined || definition === undefined || isRepeated(operation, versionId)) continue
    cells.push({ key: `${id}@${versionId}`, operation: { ...operation, id }, version, row, definition })
  }
  return cells
}

const isOperationId = (id: string): id is OperationId => Object.hasOwn(operations, id)

/** All API versions and operation versions, in the order of the generated tables. */
export interface Api {
  readonly versions: readonly ApiVersion[]
  readonly cells: readonly Cell[]
  /** Returns the operation's newest version that isn't later than the given version. */
  cell(operation: OperationId, version: Version): Cell | undefined
}

let loaded: Api | undefined

/** Loads the documents and tables. Later calls return the same objects. */
export const loadApi = (): Api => {
  if (loaded) return loaded
  const opened = versions.map(openVersion)
  const byId = new Map(opened.map((version) => [version.id as string, version]))
  const cells = Object.keys(operations)
    .filter(isOperationId)
    .flatMap((id) => cellsOf(id, byId))
  loaded = {
    versions: opened,
    cells,
    cell(operation, version) {
      const generation = byId.get(version)?.generation
      const own = cells.filter(
        (cell) => cell.operation.id === operation && cell.version.generation === generation,
      )
      return (
        own.filter((cell) => cell.version.id <= version).at(-1) ?? own.find((cell) => cell.operation.absolute)
      )
    },
  }
  return loaded
}
