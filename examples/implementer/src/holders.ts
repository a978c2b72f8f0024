import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv4 } from 'node:net'
import { type RoleId, roles } from '@svc-admin/types'
import { Problem } from './problem.ts'

/** A role in one organization or project. */
export interface Grant {
  readonly role: string
  readonly orgId?: string
  readonly groupId?: string
}

/** The owner of an API key or a service account. */
export interface Holder {
  readonly name: string
  readonly grants: readonly Grant[]
  /** The addresses and networks from which the credentials can be used. If absent, any address is allowed. */
  readonly accessList?: readonly string[]
}

export interface Project {
  readonly id: string
  readonly orgId: string
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares two strings in constant time. */
export const same = (one: string, other: string): boolean => timingSafeEqual(sha256(one), sha256(other))

const isRole = (role: string): role is RoleId => role in roles

/** A role and all roles that it includes. */
const withIncluded = (role: string): string[] =>
  isRole(role) ? [role, ...roles[role].includes.flatMap(withIncluded)] : []

export const listsAddress = (accessList: readonly string[] | undefined, address: string): boolean => {
  if (!accessList) return true
  const list = new BlockList()
  for (const entry of accessList) {
    const [network = '', prefix] = entry.split('/')
    const family = isIPv4(network) ? 'ipv4' : 'ipv6'
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/** @throws Problem 404 for callers without a role in the project, or 403 for callers without a required role. */
export const requireRole = (
  holder: Holder,
  needed: readonly string[],
  groupId: string | undefined,
  project: Project | undefined,
): void => {
  const grants =
    groupId === undefined
      ? holder.grants
      : holder.grants.filter(
          (grant) => project && (grant.groupId === project.id || grant.orgId === project.orgId),
        )
  if (groupId !== undefined && grants.length === 0)
    throw new Problem('RESOURCE_NOT_FOUND', `Project ${groupId} does not exist.`)
  const held = new Set(grants.flatMap(({ role }) => withIncluded(role)))
  if (needed.includes('ANY') ? held.size > 0 : needed.some((role) => held.has(role))) return
  throw new Problem('INSUFFICIENT_ROLE', `The operation requires one of the roles ${needed.join(', ')}.`)
}
