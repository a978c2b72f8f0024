import { limits } from '@svc-admin/types'
import { problem } from '../../domain/problem.ts'
import { translateRequest } from '../../versions/chain.ts'
import type { Exchange, Step } from '../exchange.ts'
import { parseQuery } from '../query-string.ts'
import { hasBody, readBody } from '../read-body.ts'
import { storedLink } from '../render.ts'
import { inputSchemas } from '../schemas.ts'
import { parseStrictJson } from '../strict-json.ts'
import { checkBody, checkQuery } from '../validation.ts'

/** 400 for a query that does not fit its schema. */
export const readQuery: Step = {
  name: 'query',
  run: (exchange) => {
    const { route, version, search } = exchange
    exchange.query = checkQuery(inputSchemas(route.row, version.id), parseQuery(search))
    if (route.row.paged) exchange.paging = pagingOf(exchange)
  },
}

/** 400 for a body that does not fit its schema, 413 for one that is too large. */
export const readJsonBody: Step = {
  name: 'body',
  run: async (exchange) => {
    const { raw, route, version, options } = exchange
    if (!version.hasBody) return
    const schemas = inputSchemas(route.row, version.id)
    const bytes = hasBody(raw) ? await readBody(raw, options.bodyLimit) : Buffer.alloc(0)
    if (bytes.length === 0) {
      if (schemas.bodyRequired) throw problem('VALIDATION_ERROR', missingBody)
      return
    }
    const body = parseStrictJson(bytes)
    if (schemas.body) checkBody(schemas.body, body)
    exchange.body = translateRequest(route.row.id, version.id, body)
  },
}

const missingBody = { detail: 'The operation needs a request body.', parameters: [''] }

function pagingOf(exchange: Exchange): Exchange['paging'] {
  const { query } = exchange
  const limit = numberOr(query.itemsPerPage, limits.itemsPerPage.default)
  const page = numberOr(query.pageNum, limits.pageNum.default)
  return {
    limit,
    page,
    // No list is that long, and no greater number would be exact.
    offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER),
    counted: query.includeCount !== false,
    linkTo: (items) => storedLink(items, exchange),
  }
}

const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise
