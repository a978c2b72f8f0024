import type { Query } from './call.ts'

/** The maximum number of pages that the kit reads. No check needs a longer list. */
export const maxPages = 40

export const pageQuery = (pageNum: number, itemsPerPage: number): Query => [
  ['itemsPerPage', String(itemsPerPage)],
  ['pageNum', String(pageNum)],
]
