import { asTexts } from '../rules/read/json.ts'
import type { Comparison, Pair } from './comparison.ts'

/**
 * Compares the required roles. Callers need only one of the required roles. Removing a role is therefore breaking,
 * unless callers with that role automatically have one of the remaining roles.
 */
export function compareRoles({ older, newer }: Pair, { collector, includes }: Comparison): void {
  const [old, now] = [older, newer].map(({ value }) => asTexts(value['x-roles']))
  for (const role of old ?? [])
    if (!now?.some((each) => each === 'ANY' || contains(role, each, includes)))
      collector.add(
        'breaking',
        'role-removed',
        newer.path,
        `The role ${role} is no longer sufficient.`,
        newer.id,
      )
  for (const role of now ?? [])
    if (!old?.some((each) => each === 'ANY' || contains(role, each, includes)))
      collector.add('additive', 'role-added', newer.path, `The role ${role} is now sufficient.`, newer.id)
}

function contains(role: string, other: string, includes: Record<string, string[]>): boolean {
  const seen = new Set<string>()
  const open = [role]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === other) return true
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...(includes[next] ?? []))
  }
  return false
}
