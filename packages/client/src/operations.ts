// One row per operation. Bundlers include only the rows that you import. See `createPartialClient`.
export * from '#tables/operations'
export type { OperationRow } from './operation-row.ts'
