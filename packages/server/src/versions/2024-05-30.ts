import { asObject, type VersionChange } from './version-change.ts'

/** 2024-05-30 unacknowledges by a flag; before it, leaving out `acknowledgedUntil` did. */
export const since20240530: VersionChange = {
  requests: {
    acknowledgeAlert: (body) => {
      const before = asObject(body)
      return before.acknowledgedUntil === undefined ? { ...before, unacknowledgeAlert: true } : before
    },
  },
}
