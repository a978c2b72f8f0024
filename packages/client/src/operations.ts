// The rows of the operation table, each of them alone in a bundle: see `createPartialClient`.
export * from '#tables/operations'
export type { OperationRow } from './operation-row.ts'
