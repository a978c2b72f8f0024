// One row per operation. Bundlers include only those that you import: see `createPartialClient`.
export * from '#tables/operations'
export type { OperationRow } from './operation-row.ts'
