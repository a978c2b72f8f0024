import { type Header, headerValues } from './exchange.ts'

/** One challenge from a `WWW-Authenticate` header (RFC 9110 §11.6.1). */
export interface Challenge {
  /** The scheme in lowercase, because schemes are case-insensitive. */
  readonly scheme: string
  readonly parameters: Readonly<Record<string, string>>
}

const element = /\s*([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?(\s*)/y

/**
 * Parses a list of challenges. Commas separate both challenges and parameters, so a word without `=` starts a
 * challenge.
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

/** All of a response's challenges for one scheme. */
export const challengesOf = (headers: readonly Header[], scheme: string): readonly Challenge[] =>
  headerValues(headers, 'WWW-Authenticate')
    .flatMap(parseChallenges)
    .filter((challenge) => challenge.scheme === scheme.toLowerCase())

/** Whether a Digest challenge uses MD5, the default algorithm (RFC 7616 §3.3). */
export const isMd5 = ({ parameters: { algorithm = 'MD5' } }: Challenge): boolean =>
  algorithm.toUpperCase() === 'MD5'

/**
 * A response's Digest challenge. A server may send several challenges, with its preferred challenge first (RFC 7616
 * §3.7). The kit prefers MD5, which every target must support, and otherwise uses the first challenge.
 */
export const digestChallengeOf = (headers: readonly Header[]): Challenge | undefined => {
  const challenges = challengesOf(headers, 'digest')
  return challenges.find(isMd5) ?? challenges[0]
}
