import { asObject, type VersionChange } from './version-change.ts'

/** Version 2023-01-01 added a separate analyzer for queries. In version v1.0, an index has a single analyzer. */
export const since20230101: VersionChange = {
  responses: {
    createFtsIndex: (resource) => {
      const { searchAnalyzer: _, ...before } = asObject(resource)
      return before
    },
  },
}
