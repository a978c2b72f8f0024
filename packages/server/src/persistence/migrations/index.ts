import { firstSlice } from './0001-first-slice.ts'
import type { Migration } from './migration.ts'

/** Every migration there ever was, in order. Append only. */
export const migrations: readonly Migration[] = [firstSlice]
