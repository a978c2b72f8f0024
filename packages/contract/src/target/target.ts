import type { RoleId } from '@svc-admin/types'
import type { ApiKey, ServiceAccount } from '../http/authorization.ts'

/** A caller's credentials. A target may support only one of the two kinds of credentials. */
export interface Holder {
  readonly apiKey?: ApiKey
  readonly serviceAccount?: ServiceAccount
}

export interface TargetCluster {
  readonly name: string
  readonly tier: string
  readonly hostname?: string
}

/** A hook is a command that reads JSON from standard input, or an address that receives JSON in a POST request. */
export type Hook = { readonly command: string } | { readonly url: string }

/**
 * Actions that a target can offer to the kit in addition to its API. The input and output of each hook are the same as
 * in the sandbox's control interface.
 */
export interface Hooks {
  /**
   * Raises or ends a condition. Receives `{groupId, eventTypeName, clusterName, active}`, and returns `{alerts}`, the
   * IDs of the alerts that change.
   */
  readonly raiseEvent?: Hook
  /** Adds access history. Receives `{groupId, clusterName, entries}`. */
  readonly addAccessLogs?: Hook
  /**
   * Advances the clock. Receives `{seconds}`, and returns `{now}`. 0 only reads the time, and negative
   * values set the clock back.
   */
  readonly advanceClock?: Hook
  /**
   * Creates resources. Receives the resources by collection, in the format of the demo organization. Requires `unseed`.
   */
  readonly seed?: Hook
  /**
   * Removes organizations, projects, clusters and credentials, with everything in them. Receives the
   * resources by collection.
   */
  readonly unseed?: Hook
  /**
   * Performs an action that only the platform can perform, such as `search-indexes/fail`. Receives `{action, details}`.
   */
  readonly arrange?: Hook
  /** Returns the notifications that were sent, each with the ID of its alert. Receives `{}`. */
  readonly outbox?: Hook
}

/** IDs and names of existing resources, by path parameter. */
export type ResourceIds = Readonly<Record<string, string>>

/** An implementation of the API, with resources that a run can use. */
export interface Target {
  readonly baseUrl: string
  /** Credentials by role. In the project and its organization, each holder has only this role. */
  readonly roles: Readonly<Partial<Record<RoleId, Holder>>>
  /** Credentials of callers that the target must reject. */
  readonly others?: {
    /** A holder without any role. */
    readonly noRole?: Holder
    /** A holder with a role in another project of the same organization. */
    readonly otherProject?: Holder
    /** A holder with an access list that doesn't contain the caller's address. */
    readonly restricted?: Holder
  }
  /** The names of existing resources. `groupId` is required. */
  readonly things: ResourceIds
  /** The names of another tenant's resources, which the target must hide. */
  readonly foreign?: ResourceIds
  /**
   * Whether the run may send requests that change the other tenant's resources. A target that doesn't isolate
   * tenants performs such requests.
   */
  readonly foreignMayBeLost?: boolean
  /** Whether no other caller creates resources in the project during the run. */
  readonly lentAlone?: boolean
  readonly clusters?: readonly TargetCluster[]
  /** The address of the sandbox's control interface. */
  readonly control?: string
  readonly hooks?: Hooks
  readonly requestsPerSecond?: number
  readonly timeoutMs?: number
  /**
   * Whether the target removes a version on its sunset date. By default, the target may continue to serve the version.
   */
  readonly enforcesSunset?: boolean
  /** Whether the run must not create or change anything. */
  readonly readOnly?: boolean
}
