/** The complete declaration of a type in one version. */
export interface Declaration {
  readonly name: string
  readonly text: string
}

/** A version's own declarations, and the declarations that it imports from earlier versions. */
export interface Sharing {
  readonly own: readonly Declaration[]
  /** The names of imported types, grouped by the version that declares them. */
  readonly imported: ReadonlyMap<string, readonly string[]>
}

interface Earlier {
  readonly text: string
  /** The version that declares the type. */
  readonly owner: string
}

/**
 * Declares each type only once because most types are the same in several versions. A type is imported only if all
 * types that it refers to are also imported. Otherwise, a name in the imported type could refer to a different type.
 */
export function shareDeclarations(
  versions: ReadonlyMap<string, readonly Declaration[]>,
): Map<string, Sharing> {
  const result = new Map<string, Sharing>()
  let before = new Map<string, Earlier>()
  for (const [version, declarations] of versions) {
    const same = findSame(declarations, before)
    const importedNames = new Map<string, string[]>()
    const now = new Map<string, Earlier>()
    for (const { name, text } of declarations) {
      const owner = same.has(name) ? (before.get(name)?.owner ?? version) : version
      now.set(name, { text, owner })
      if (owner !== version) importedNames.set(owner, [...(importedNames.get(owner) ?? []), name])
    }
    result.set(version, { own: declarations.filter(({ name }) => !same.has(name)), imported: importedNames })
    before = now
  }
  return result
}

function findSame(declarations: readonly Declaration[], before: ReadonlyMap<string, Earlier>): Set<string> {
  const names = new Set(declarations.map(({ name }) => name))
  const same = new Set(
    declarations.filter(({ name, text }) => before.get(name)?.text === text).map(({ name }) => name),
  )
  for (let changed = true; changed; ) {
    changed = false
    for (const { name, text } of declarations) {
      if (!same.has(name)) continue
      const used = text.match(/\b[A-Za-z_]\w*/g) ?? []
      if (used.every((each) => !names.has(each) || same.has(each))) continue
      same.delete(name)
      changed = true
    }
  }
  return same
}
