/** One challenge of a `WWW-Authenticate` header: RFC 9110 §11.6.1. */
export interface Challenge {
  /** In lowercase. */
  readonly scheme: string
  /** Names in lowercase. Values without quotes; escapes aren't decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

/** A token, optionally followed by an equals sign and a quoted string or another token. */
const part = /[\s,]*([^\s,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/gy

/**
 * Splits a header that may hold several challenges. Commas separate both parameters and challenges, and may
 * be part of quoted strings, so splitting at commas is wrong.
 */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = []
  for (const [, name = '', quoted, bare] of header.matchAll(part)) {
    const value = quoted ?? bare
    const current = challenges.at(-1)
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: {} })
    else if (current) current.parameters[name.toLowerCase()] ??= value
  }
  return challenges
}
