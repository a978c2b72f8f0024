import type { Query } from './call.ts'

/** Longer lists are not useful for tests. */
export const maxPages = 40

/** The query for one page. */
export const pageQuery = (pageNum: number, itemsPerPage: number): Query => [
  ['itemsPerPage', String(itemsPerPage)],
  ['pageNum', String(pageNum)],
]
