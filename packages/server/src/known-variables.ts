/** The prefix of environment variables that set options. */
export const variablePrefix = 'SVC_ADMIN_'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Rejects unknown variables with this prefix, because misspelled variables would otherwise be silently ignored.
 *
 * @throws {Error} that suggests the most similar known variable.
 */
export function requireKnownVariables(env: Environment, known: readonly string[]): void {
  const unknown = Object.entries(env).find(
    ([name, value = '']) =>
      name.startsWith(variablePrefix) && !known.includes(name) && !isServiceLink(name, value),
  )
  if (!unknown) return
  const [name] = unknown
  throw new Error(`Unknown environment variable ${name}. Did you mean ${nearest(name, known)}?`)
}

/**
 * Returns whether a variable was set by Kubernetes. Kubernetes sets variables with the address of each Service in the
 * namespace. The name of such a variable starts with the name of the Service, which can begin with the same prefix.
 */
function isServiceLink(name: string, value: string): boolean {
  const isPart = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)
  return isPart || (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value))
}

function nearest(name: string, known: readonly string[]): string {
  const [best = ''] = [...known].sort((a, b) => distance(name, a) - distance(name, b))
  return best
}

/** Returns the Levenshtein distance between two texts. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const above = row
    row = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const changed = (above[column] ?? 0) + (letter === other ? 0 : 1)
      row.push(Math.min(changed, (above[column + 1] ?? 0) + 1, (row[column] ?? 0) + 1))
    }
  }
  return row.at(-1) ?? 0
}
