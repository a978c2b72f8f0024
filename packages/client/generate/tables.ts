import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { bodyOf } from '@svc-admin/spec'
import { errorCodes, limits, type OperationRow, operations, tokenEndpoint, versions } from '@svc-admin/types'
import { wireLifecycles } from './lifecycles.ts'
import { resolve, type VersionModel } from './model.ts'

/** A module's code and declarations. */
export interface Table {
  readonly code: string
  readonly types: string
}

/**
 * Generates the tables that the client reads at run time. Every bundle contains these tables, so they must be small.
 */
export function tables(models: readonly VersionModel[]): Record<string, Table> {
  const rows: readonly OperationRow[] = Object.values(operations)
  return {
    operations: {
      code: rows.map((row) => `export const ${row.id} = ${JSON.stringify(compact(row, models))}\n`).join(''),
      types: ["import type { OperationRow } from '#types'\n", ...rows.map(declare)].join(''),
    },
    // The export is an array because bundlers can't tree-shake a namespace object.
    'all-operations': {
      code: `${rows.map(({ id }) => `import { ${id} } from './operations.js'\n`).join('')}export const allOperations = [${rows.map(({ id }) => id).join(', ')}]\n`,
      types:
        "import type { OperationRow } from '#types'\nexport declare const allOperations: readonly OperationRow[]\n",
    },
    versions: constant(
      'versions',
      Object.fromEntries(versions.map(({ id, prefix, mediaType }) => [id, [prefix, mediaType]])),
      "import type { VersionRow } from '#types'\nexport declare const versions: Readonly<Record<string, VersionRow>>\n",
    ),
    constants: constants(),
    errors: constant(
      'errors',
      Object.fromEntries(
        Object.entries(errorCodes).map(([code, { status, detail, ...rest }]) => [
          code,
          {
            status,
            reason: STATUS_CODES[status],
            detail,
            ...('parameters' in rest && { parameters: rest.parameters }),
          },
        ]),
      ),
      "import type { ErrorCode } from './api/index.d.ts'\nimport type { ErrorRow } from '#types'\nexport declare const errors: Readonly<Record<ErrorCode, ErrorRow>>\n",
    ),
    lifecycles: constant(
      'lifecycles',
      Object.fromEntries(
        wireLifecycles(models).map(({ id, field, byFields, transitions }) => [
          id,
          { field, byFields, transitions },
        ]),
      ),
      "import type { Lifecycles } from './api/index.d.ts'\nimport type { Lifecycle } from '#types'\nexport declare const lifecycles: Readonly<Record<keyof Lifecycles, Lifecycle>>\n",
    ),
    secrets: constant(
      'secretFields',
      [...new Set(models.flatMap(({ document }) => secretFields(document)))].sort(),
      'export declare const secretFields: readonly string[]\n',
    ),
  }
}

function constant(name: string, value: unknown, types: string): Table {
  return { code: `export const ${name} = ${JSON.stringify(value)}\n`, types }
}

function declare(row: OperationRow): string {
  return `/** ${row.summary}. */\nexport declare const ${row.id}: OperationRow & { readonly id: '${row.id}' }\n`
}

/** Omits values that are the defaults for the operation's method and version. */
function compact(row: OperationRow, models: readonly VersionModel[]): object {
  const { id, method, path, paged, absolute, security } = row
  // `authenticate` recognizes the token endpoint by its operation ID.
  if ((security === 'client-credentials') !== (path === tokenEndpoint.path)) {
    throw new Error(`${id}: only the token endpoint must require client credentials.`)
  }
  const owned = Object.entries(row.versions)
  const idempotent = method !== 'POST' && method !== 'PATCH'
  const defaultOf = (version: string): string | undefined =>
    versions.find((each) => each.id === version)?.mediaType
  const accept = commonException(
    id,
    owned.map(([version, { mediaType }]) => [defaultOf(version), mediaType]),
  )
  const contentType = commonException(
    id,
    owned.map(([version, { mediaType, requestMediaType }]) => [
      defaultOf(version),
      requestMediaType ?? mediaType,
    ]),
  )
  return {
    id,
    method,
    path,
    versions: owned.map(([version]) => version).sort(byAge),
    ...(paged && { paged }),
    ...listOf(id, models),
    ...(owned.some(([, { hasContent }]) => !hasContent) && { bodiless: true }),
    ...(row.idempotent !== idempotent && { repeatable: row.idempotent }),
    ...(absolute && { absolute }),
    ...(accept && { accept }),
    ...(contentType && { contentType }),
  }
}

/**
 * Returns the location of the list in a response: the whole body or `results`. Not set for paginated operations, which
 * always return the list in `results`.
 */
function listOf(id: string, models: readonly VersionModel[]): { readonly list?: 'body' | 'results' } {
  const lists = models.flatMap(({ document, operations: all }) =>
    all
      .filter((each) => each.id === id)
      .flatMap(({ success, row }) => {
        const [, content] = bodyOf(success.response.content) ?? []
        const schema = content && resolve(content.schema, document.components.schemas)
        if (schema?.type === 'array') return ['body' as const]
        return [schema?.required?.includes('results') && !row.paged ? ('results' as const) : undefined]
      }),
  )
  const [list, ...others] = new Set(lists)
  if (others.length > 0)
    throw new Error(`${id} has several kinds of responses, but a table row can describe only one.`)
  return list ? { list } : {}
}

/**
 * Returns an operation's media type if all of its versions use the same one and it isn't the default for those
 * versions. This is rare.
 */
function commonException(
  id: string,
  pairs: readonly (readonly [string | undefined, string])[],
): string | undefined {
  if (pairs.every(([own, media]) => own === media)) return undefined
  const [only, ...more] = new Set(pairs.map(([, media]) => media))
  if (more.length > 0) throw new Error(`${id} has several media types, but a table row can contain only one.`)
  return only
}

/** Compares version IDs by their position in the version list. */
function byAge(a: string, b: string): number {
  const age = (id: string): number => versions.findIndex((version) => version.id === id)
  return age(a) - age(b)
}

/** Writes the token operation, the two limits that the client uses, and the product name for `User-Agent`. */
function constants(): Table {
  const { maximum, windowSeconds } = limits.tokenRequests
  const row = Object.values(operations).find(({ path }) => path === tokenEndpoint.path)
  if (!row) throw new Error("No operation has the token endpoint's path.")
  const { default: size } = limits.itemsPerPage
  const { name, version }: Record<string, string> = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  // The product name in `User-Agent` must be a token (RFC 9110 §10.1.5, §5.6.2).
  const product = `${name?.replace(/^@/, '').replace('/', '-')}/${version}`
  return {
    code: [
      `export { ${row.id} as tokenOperation } from './operations.js'\n`,
      `export const tokenRequests = ${JSON.stringify({ maximum, windowMs: windowSeconds * 1000 })}\n`,
      `export const itemsPerPage = ${size}\n`,
      `export const product = ${JSON.stringify(product)}\n`,
    ].join(''),
    types: [
      "import type { OperationRow } from '#types'\nexport declare const tokenOperation: OperationRow\n",
      'export declare const tokenRequests: { readonly maximum: number; readonly windowMs: number }\n',
      'export declare const itemsPerPage: number\n',
      'export declare const product: string\n',
    ].join(''),
  }
}

/** Returns the names of secret properties, which are write-only or have the format `password`. */
function secretFields(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretFields)
  if (typeof value !== 'object' || value === null) return []
  const properties: unknown = Reflect.get(value, 'properties')
  const here = Object.entries(typeof properties === 'object' && properties !== null ? properties : {})
    .filter(([, schema]) => schema.writeOnly === true || schema.format === 'password')
    .map(([name]) => name)
  return [...here, ...Object.values(value).flatMap(secretFields)]
}
