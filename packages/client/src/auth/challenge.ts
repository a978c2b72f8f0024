/** One challenge from a `WWW-Authenticate` header (RFC 9110 §11.6.1). */
export interface Challenge {
  /** The scheme in lowercase. */
  readonly scheme: string
  /** The parameters, with names in lowercase and values without quotes. Escapes aren't decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

/** Matches a token, optionally followed by an equals sign and a quoted string or another token. */
const part = /[\s,]*([^\s,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/gy

/**
 * Splits a header that may contain several challenges into individual challenges. Commas separate both parameters and
 * challenges and can appear in quoted strings, so the header can't be split at commas.
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
