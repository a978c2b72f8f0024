/** One declaration of a version, whole. */
export interface Declaration {
  readonly name: string
  readonly text: string
}

/** A version's declarations: its own, and those that it takes over from an earlier one. */
export interface Sharing {
  readonly own: readonly Declaration[]
  /** Names by the version that declares them. */
  readonly taken: ReadonlyMap<string, readonly string[]>
}

interface Known {
  readonly text: string
  /** The version in whose file it stands. */
  readonly home: string
}

/**
 * Declares each type once: most of a version is what the one before it was. A type is taken over only with
 * everything that it refers to, or its name would mean another type there than here.
 */
export function shareDeclarations(
  versions: ReadonlyMap<string, readonly Declaration[]>,
): Map<string, Sharing> {
  const result = new Map<string, Sharing>()
  let before = new Map<string, Known>()
  for (const [version, declarations] of versions) {
    const same = findSame(declarations, before)
    const homes = new Map<string, string[]>()
    const now = new Map<string, Known>()
    for (const { name, text } of declarations) {
      const home = same.has(name) ? (before.get(name)?.home ?? version) : version
      now.set(name, { text, home })
      if (home !== version) homes.set(home, [...(homes.get(home) ?? []), name])
    }
    result.set(version, { own: declarations.filter(({ name }) => !same.has(name)), taken: homes })
    before = now
  }
  return result
}

function findSame(declarations: readonly Declaration[], before: ReadonlyMap<string, Known>): Set<string> {
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
