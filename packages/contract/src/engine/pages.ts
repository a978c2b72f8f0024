import type { Cell } from './api.ts'
import type { Query } from './call.ts'

/** A list that goes on for longer is not one to test with. */
export const mostPages = 40

/** Whether a list comes in pages: of another, an unknown parameter asks for them. */
export const isPaged = ({ definition }: Cell): boolean =>
  definition.parameters.some(({ name }) => name === 'pageNum')

/** The query for one page. */
export const numbered = (pageNum: number, itemsPerPage: number): Query => [
  ['itemsPerPage', String(itemsPerPage)],
  ['pageNum', String(pageNum)],
]
