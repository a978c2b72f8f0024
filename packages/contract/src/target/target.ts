import type { RoleId } from '@svc-admin/types'
import type { ApiKey, ServiceAccount } from '../http/authorization.ts'

/** The credentials of one holder; a target may know one kind alone. */
export interface Holder {
  readonly apiKey?: ApiKey
  readonly serviceAccount?: ServiceAccount
}

export interface TargetCluster {
  readonly name: string
  readonly tier: string
  readonly hostname?: string
}

/** A command that gets its input as JSON on standard input, or an address that it is posted to. */
export type Hook = { readonly command: string } | { readonly url: string }

/** What a target can be asked to arrange. What a hook gets and answers is what the sandbox's control interface does. */
export interface Hooks {
  /** Gets `{groupId, eventTypeName, clusterName, active}`; answers `{alerts: [id]}`, the alerts that it touched. */
  readonly raiseEvent?: Hook
  /** Gets `{groupId, clusterName, entries}`. */
  readonly addAccessLogs?: Hook
  /** Gets `{seconds}`, 0 to be asked for the time and less to be put back; answers `{now}`. */
  readonly advanceClock?: Hook
  /** Gets things by collection, in the shape of the demo organisation. Used only along with `unseed`. */
  readonly seed?: Hook
  /** Gets the organizations, projects, clusters and credentials to take away, with everything of theirs. */
  readonly unseed?: Hook
  /** Gets `{action, details}`, such as `search-indexes/fail`: what only the platform itself does. */
  readonly arrange?: Hook
  /** Gets `{}`; answers the notifications that were sent, each with the identifier of its alert. */
  readonly outbox?: Hook
}

/** Identifiers and names of things that exist, by name of the path parameter that they stand for. */
export type ResourceIds = Readonly<Record<string, string>>

/** An implementation of the API, and what a run may use there. */
export interface Target {
  readonly baseUrl: string
  /** Credentials by the one role that they hold in the project or in its organization. */
  readonly roles: Readonly<Partial<Record<RoleId, Holder>>>
  /** Credentials for refusals. */
  readonly others?: {
    /** Holds no role at all. */
    readonly noRole?: Holder
    /** Holds the role in another project of the organization. */
    readonly otherProject?: Holder
    /** Would be allowed, but its access list excludes the caller. */
    readonly restricted?: Holder
  }
  /** At least `groupId`. */
  readonly things: ResourceIds
  /** The same of another tenant, which must stay hidden. */
  readonly foreign?: ResourceIds
  /** Whether calls that change or remove may name these too; a target that does not keep tenants apart obeys them. */
  readonly foreignMayBeLost?: boolean
  /** Whether nobody else makes anything in the project until what a run made is removed. */
  readonly lentAlone?: boolean
  readonly clusters?: readonly TargetCluster[]
  /** Control interface of the sandbox. */
  readonly control?: string
  readonly hooks?: Hooks
  readonly requestsPerSecond?: number
  readonly timeoutMs?: number
  /** Whether versions are withdrawn on their sunset date; whoever does not say so may serve them on. */
  readonly enforcesSunset?: boolean
  /** Nothing may be created or changed. */
  readonly readOnly?: boolean
}
