import { type Header, headerValues } from './exchange.ts'

/** One challenge of a `WWW-Authenticate` header (RFC 9110 §11.6.1). */
export interface Challenge {
  /** Scheme in lower case: it is case-insensitive. */
  readonly scheme: string
  readonly parameters: Readonly<Record<string, string>>
}

const element = /\s*([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?(\s*)/y

/**
 * Takes a list of challenges apart. Commas separate both challenges and parameters, so a word that no `=`
 * follows opens a new challenge.
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

/** The challenges of one scheme among every `WWW-Authenticate` line of an answer. */
export const challengesOf = (headers: readonly Header[], scheme: string): readonly Challenge[] =>
  headerValues(headers, 'WWW-Authenticate')
    .flatMap(parseChallenges)
    .filter((challenge) => challenge.scheme === scheme.toLowerCase())

/** Whether an answer to a Digest challenge is computed by MD5, which it is where no algorithm is named (RFC 7616 §3.3). */
export const isMd5 = ({ parameters: { algorithm = 'MD5' } }: Challenge): boolean =>
  algorithm.toUpperCase() === 'MD5'

/**
 * The Digest challenge of an answer. A target may send several, the one that it prefers first (RFC 7616 §3.7): that with
 * MD5 is the one that every target has. Where none has it, it is the first.
 */
export const digestChallengeOf = (headers: readonly Header[]): Challenge | undefined => {
  const challenges = challengesOf(headers, 'digest')
  return challenges.find(isMd5) ?? challenges[0]
}
