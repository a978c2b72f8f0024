import { asObject, type VersionChange } from './version-change.ts'

/**
 * Version 2024-05-30 added a flag for removing an alert's acknowledgment. In earlier versions, clients omit
 * `acknowledgedUntil` to remove the acknowledgment.
 */
export const since20240530: VersionChange = {
  requests: {
    acknowledgeAlert: (body) => {
      const before = asObject(body)
      return before.acknowledgedUntil === undefined ? { ...before, unacknowledgeAlert: true } : before
    },
  },
}
