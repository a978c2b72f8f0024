import type { Query } from './call.ts'

/** The maximum number of pages to read. Tests don't need longer lists. */
export const maxPages = 40

/** The query parameters for one page. */
export const pageQuery = (pageNum: number, itemsPerPage: number): Query => [
  ['itemsPerPage', String(itemsPerPage)],
  ['pageNum', String(pageNum)],
]
