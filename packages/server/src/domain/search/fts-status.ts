import { states } from '@svc-admin/types'

const sees: Readonly<Record<string, readonly string[]>> = states['fts-index'].sees

/** Converts a status to the corresponding name in the legacy format. */
export function ftsStatusOf(status: string): string {
  return Object.entries(sees).find(([, seen]) => seen.includes(status))?.[0] ?? status
}
