/** One challenge of a `WWW-Authenticate` header: RFC 9110 §11.6.1. */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string
  /** Names in lower case; values without their quotes, escapes left as they came. */
  readonly parameters: Readonly<Record<string, string>>
}

/** A token, or what else ends at no space, comma or equals sign; after an equals sign a quoted string or another one. */
const part = /[\s,]*([^\s,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/y

/**
 * Splits a header that may hold several challenges. The comma separates parameters, challenges and, inside
 * quotes, nothing at all, so splitting at commas is wrong.
 */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = []
  part.lastIndex = 0
  for (let match = part.exec(header); match; match = part.exec(header)) {
    const [, name = '', quoted, bare] = match
    const value = quoted ?? bare
    const current = challenges.at(-1)
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: {} })
    else if (current) current.parameters[name.toLowerCase()] ??= value
  }
  return challenges
}
