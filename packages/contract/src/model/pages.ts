import type { Query } from './call.ts'

/** Reading longer lists would not help the tests. */
export const maxPages = 40

/** The query for one page. */
export const pageQuery = (pageNum: number, itemsPerPage: number): Query => [
  ['itemsPerPage', String(itemsPerPage)],
  ['pageNum', String(pageNum)],
]
