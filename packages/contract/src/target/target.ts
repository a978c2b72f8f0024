import type { RoleId } from '@svc-admin/types'
import type { ApiKey, ServiceAccount } from '../http/authorization.ts'

/** The credentials of one holder. A target may support only one kind. */
export interface Holder {
  readonly apiKey?: ApiKey
  readonly serviceAccount?: ServiceAccount
}

export interface TargetCluster {
  readonly name: string
  readonly tier: string
  readonly hostname?: string
}

/** A command that gets its input as JSON on standard input, or an address to which it is posted. */
export type Hook = { readonly command: string } | { readonly url: string }

/** Prerequisites that a target can arrange. Hooks have the same input and output as the sandbox's control interface. */
export interface Hooks {
  /** Gets `{groupId, eventTypeName, clusterName, active}`. Returns `{alerts: [id]}`, the affected alerts. */
  readonly raiseEvent?: Hook
  /** Gets `{groupId, clusterName, entries}`. */
  readonly addAccessLogs?: Hook
  /** Gets `{seconds}`: 0 only reads the time, a negative value sets the clock back. Returns `{now}`. */
  readonly advanceClock?: Hook
  /** Gets resources by collection, in the format of the demo organization. Requires `unseed`. */
  readonly seed?: Hook
  /** Gets the organizations, projects, clusters and credentials to remove, with everything in them. */
  readonly unseed?: Hook
  /** Gets `{action, details}`, for actions that only the platform performs, such as `search-indexes/fail`. */
  readonly arrange?: Hook
  /** Gets `{}`. Returns the notifications that were sent, each with its alert's identifier. */
  readonly outbox?: Hook
}

/** Identifiers and names of existing resources, by path parameter. */
export type ResourceIds = Readonly<Record<string, string>>

/** An implementation of the API, and the resources that a run may use there. */
export interface Target {
  readonly baseUrl: string
  /** Credentials by role. Each holds only this role in the project or its organization. */
  readonly roles: Readonly<Partial<Record<RoleId, Holder>>>
  /** Credentials that the target must reject. */
  readonly others?: {
    /** Has no roles. */
    readonly noRole?: Holder
    /** Has its role in another project of the organization. */
    readonly otherProject?: Holder
    /** Has the role, but its access list excludes the caller. */
    readonly restricted?: Holder
  }
  /** At least `groupId`. */
  readonly things: ResourceIds
  /** Resources of another tenant, which must stay hidden. */
  readonly foreign?: ResourceIds
  /** Whether write requests may target these too. A target that does not isolate tenants would execute them. */
  readonly foreignMayBeLost?: boolean
  /** Whether no other caller creates resources in the project until the run has removed its own. */
  readonly lentAlone?: boolean
  readonly clusters?: readonly TargetCluster[]
  /** Control interface of the sandbox. */
  readonly control?: string
  readonly hooks?: Hooks
  readonly requestsPerSecond?: number
  readonly timeoutMs?: number
  /** Whether versions are removed on their sunset date. If not set, the target may continue to serve them. */
  readonly enforcesSunset?: boolean
  /** Whether the run must not create or change anything. */
  readonly readOnly?: boolean
}
