import { asObject, type VersionChange } from './version-change.ts'

/** 2023-01-01 tells the analyzer of queries from that of the index; v1.0 knows one. */
export const since20230101: VersionChange = {
  responses: {
    createFtsIndex: (resource) => {
      const { searchAnalyzer: _, ...before } = asObject(resource)
      return before
    },
  },
}
