import type { RoleId } from '@svc-admin/types'
import type { ApiKey, ServiceAccount } from '../http/authorization.ts'

/** One holder's credentials. A target may support only one kind. */
export interface Holder {
  readonly apiKey?: ApiKey
  readonly serviceAccount?: ServiceAccount
}

export interface TargetCluster {
  readonly name: string
  readonly tier: string
  readonly hostname?: string
}

/** A command that reads its input as JSON from standard input, or an address to which the kit posts the input. */
export type Hook = { readonly command: string } | { readonly url: string }

/**
 * Prerequisites that a target can provide. A hook's input and output are the same as in the sandbox's control
 * interface.
 */
export interface Hooks {
  /** Gets `{groupId, eventTypeName, clusterName, active}`. Returns the affected alerts as `{alerts: [id]}`. */
  readonly raiseEvent?: Hook
  /** Gets `{groupId, clusterName, entries}`. */
  readonly addAccessLogs?: Hook
  /** Gets `{seconds}`. 0 only reads the time, and negative values set the clock back. Returns `{now}`. */
  readonly advanceClock?: Hook
  /** Gets resources by collection, in the demo organization's format. Requires `unseed`. */
  readonly seed?: Hook
  /** Gets the organizations, projects, clusters and credentials to remove, with everything they contain. */
  readonly unseed?: Hook
  /** Gets `{action, details}`, for actions that only the platform can perform, such as `search-indexes/fail`. */
  readonly arrange?: Hook
  /** Gets `{}`. Returns the notifications that were sent, each with its alert's ID. */
  readonly outbox?: Hook
}

/** IDs and names of existing resources by path parameter. */
export type ResourceIds = Readonly<Record<string, string>>

/** An implementation of the API, with the resources that a run can use. */
export interface Target {
  readonly baseUrl: string
  /** Credentials by role. Each holder has only this role in the project or its organization. */
  readonly roles: Readonly<Partial<Record<RoleId, Holder>>>
  /** Credentials that the target must reject. */
  readonly others?: {
    /** A holder without any role. */
    readonly noRole?: Holder
    /** A holder with a role in a different project of the same organization. */
    readonly otherProject?: Holder
    /** A holder with an access list that excludes the caller. */
    readonly restricted?: Holder
  }
  /** Existing resources. `groupId` is required. */
  readonly things: ResourceIds
  /** Another tenant's resources, which must not be visible. */
  readonly foreign?: ResourceIds
  /**
   * Whether the run may send write requests for the other tenant's resources. If a target doesn't isolate tenants, it
   * would execute them.
   */
  readonly foreignMayBeLost?: boolean
  /** Whether no other caller adds resources to the project during the run. */
  readonly lentAlone?: boolean
  readonly clusters?: readonly TargetCluster[]
  /** The sandbox's control interface. */
  readonly control?: string
  readonly hooks?: Hooks
  readonly requestsPerSecond?: number
  readonly timeoutMs?: number
  /** Whether the target removes versions on their sunset date. By default, the target may continue to serve them. */
  readonly enforcesSunset?: boolean
  /** Whether the run must not create or change anything. */
  readonly readOnly?: boolean
}
