import { ControlInputError, type Fields, text } from './fields.ts'

export interface SeedPath {
  readonly orgId: string
  readonly groupId: string
  readonly clusterName: string
}

/**
 * Gets the path parameters of a seeded resource from its `self` path. Path parameters that aren't in the path are
 * empty.
 */
export function seedPathOf(fields: Fields): SeedPath {
  const self = text(fields, 'self')
  const value = (name: string) => decoded(new RegExp(`/${name}/([^/]+)`).exec(self)?.[1] ?? '')
  const path = { orgId: value('orgs'), groupId: value('groups'), clusterName: value('clusters') }
  if (path.orgId === '' && path.groupId === '') {
    throw new ControlInputError("'self' must be a path within an organization or a project")
  }
  return path
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new ControlInputError("'self' must be a path with valid percent-encoding")
  }
}
