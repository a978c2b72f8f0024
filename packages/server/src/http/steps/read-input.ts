import { limits } from '@svc-admin/types'
import { problem } from '../../domain/problem.ts'
import { translateRequest } from '../../versions/chain.ts'
import { parseQuery } from '../query-string.ts'
import { hasBody, readBody } from '../read-body.ts'
import { storedLink } from '../render.ts'
import type { RequestContext, Step } from '../request-context.ts'
import { inputSchemas } from '../schemas.ts'
import { parseStrictJson } from '../strict-json.ts'
import { checkBody, checkQuery } from '../validation.ts'

/** Parses and validates the query. Returns 400 if the query is invalid. */
export const readQuery: Step = {
  name: 'query',
  run: (context) => {
    const { route, version, search } = context
    context.query = checkQuery(inputSchemas(route.row, version.id), parseQuery(search))
    if (route.row.paged) context.paging = pagingOf(context)
  },
}

/** Parses and validates the body. Returns 400 if the body is invalid, and 413 if it is too large. */
export const readJsonBody: Step = {
  name: 'body',
  run: (context) => {
    if (!context.version.hasBody) return
    const { raw, options } = context
    const bytes = hasBody(raw) ? readBody(raw, options.bodyLimit) : noBytes
    if (bytes instanceof Promise) return bytes.then((read) => acceptBody(context, read))
    acceptBody(context, bytes)
  },
}

const noBytes = Buffer.alloc(0)

function acceptBody(context: RequestContext, bytes: Buffer): void {
  const { route, version } = context
  const schemas = inputSchemas(route.row, version.id)
  if (bytes.length === 0) {
    if (schemas.bodyRequired) throw problem('VALIDATION_ERROR', missingBody)
    return
  }
  const body = parseStrictJson(bytes)
  schemas.removeIgnored(body)
  if (schemas.body) checkBody(schemas.body, body)
  context.body = translateRequest(route.row.id, version.id, body)
}

const missingBody = { detail: 'The operation requires a request body.', parameters: [''] }

function pagingOf(context: RequestContext): RequestContext['paging'] {
  const { query } = context
  const limit = numberOr(query.itemsPerPage, limits.itemsPerPage.default)
  const page = numberOr(query.pageNum, limits.pageNum.default)
  return {
    limit,
    page,
    // Larger offsets can't be represented exactly, but no list is that long.
    offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER),
    counted: query.includeCount !== false,
    linkTo: (items) => storedLink(items, context),
  }
}

const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback)
