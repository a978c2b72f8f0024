import { type Header, headerValues } from './exchange.ts'

/** A challenge in a `WWW-Authenticate` header (RFC 9110 §11.6.1). */
export interface Challenge {
  /** The scheme in lowercase, because its case doesn't matter. */
  readonly scheme: string
  readonly parameters: Readonly<Record<string, string>>
}

const element = /\s*([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?(\s*)/y

/**
 * Parses a list of challenges. Commas separate both challenges and the parameters within a challenge. Therefore, a word
 * without `=` starts a new challenge.
 */
export const parseChallenges = (value: string): Challenge[] => {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = []
  element.lastIndex = 0
  while (element.lastIndex < value.length) {
    const match = element.exec(value)
    if (match === null) break
    const [whole, name = '', quoted, plain] = match
    if (!whole.includes('=')) challenges.push({ scheme: name.toLowerCase(), parameters: {} })
    else {
      const current = challenges.at(-1)
      if (current) current.parameters[name.toLowerCase()] = plain ?? (quoted ?? '').replace(/\\(.)/g, '$1')
    }
    const comma = /\s*,?/y
    comma.lastIndex = element.lastIndex
    comma.exec(value)
    element.lastIndex = comma.lastIndex
  }
  return challenges
}

/** Returns all challenges for a scheme in a response. */
export const challengesOf = (headers: readonly Header[], scheme: string): readonly Challenge[] =>
  headerValues(headers, 'WWW-Authenticate')
    .flatMap(parseChallenges)
    .filter((challenge) => challenge.scheme === scheme.toLowerCase())

/** Returns whether a Digest challenge uses MD5, which is the default algorithm (RFC 7616 §3.3). */
export const isMd5 = ({ parameters: { algorithm = 'MD5' } }: Challenge): boolean =>
  algorithm.toUpperCase() === 'MD5'

/**
 * Returns the Digest challenge to use. A server may send several challenges in order of preference (RFC 7616 §3.7). The
 * kit prefers MD5, which every target must support. If there is no MD5 challenge, the kit uses the first challenge.
 */
export const digestChallengeOf = (headers: readonly Header[]): Challenge | undefined => {
  const challenges = challengesOf(headers, 'digest')
  return challenges.find(isMd5) ?? challenges[0]
}
