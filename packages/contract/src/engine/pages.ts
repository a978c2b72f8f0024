import type { Query } from './call.ts'

/** A list that goes on for longer is not one to test with. */
export const maxPages = 40

/** The query for one page. */
export const pageQuery = (pageNum: number, itemsPerPage: number): Query => [
  ['itemsPerPage', String(itemsPerPage)],
  ['pageNum', String(pageNum)],
]
