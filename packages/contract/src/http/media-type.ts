/** A parsed media type (RFC 9110 §8.3.1). */
export interface MediaType {
  /** The type and subtype in lowercase, because their case doesn't matter. */
  readonly essence: string
  readonly parameters: ReadonlyMap<string, string>
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const essencePattern = new RegExp(`^\\s*(${token}/${token})\\s*(?:;|$)`)
const parameterPattern = new RegExp(`;\\s*(${token})=(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))`, 'g')

/** Parses a media type. Returns `undefined` if the media type is invalid. */
export const parseMediaType = (value: string): MediaType | undefined => {
  const essence = essencePattern.exec(value)?.[1]
  if (essence === undefined) return undefined
  const parameters = new Map<string, string>()
  for (const [, name, quoted, plain] of value.matchAll(parameterPattern)) {
    if (name !== undefined)
      parameters.set(name.toLowerCase(), plain ?? (quoted ?? '').replace(/\\(.)/g, '$1'))
  }
  return { essence: essence.toLowerCase(), parameters }
}

/** Returns whether two media types are the same. Case and parameters, such as `charset`, don't matter. */
export const sameMediaType = (one: string, other: string): boolean => {
  const [left, right] = [parseMediaType(one), parseMediaType(other)]
  return left !== undefined && left.essence === right?.essence
}

/** Returns the media type of a version of the API. */
export const mediaTypeOfDate = (date: string): string => `application/vnd.svc.${date}+json`

/** Returns the dates in a media type or an `Accept` header. */
export const datesIn = (value: string): readonly string[] => value.match(/\d{4}-\d{2}-\d{2}/g) ?? []

/** Returns whether a media type is the media type of any version. */
export const hasDate = (value: string): boolean => {
  const [date] = datesIn(value)
  return date !== undefined && sameMediaType(value, mediaTypeOfDate(date))
}

/** Returns whether a media type is JSON (RFC 6839 §3.1). */
export const isJson = (value: string): boolean => {
  const essence = parseMediaType(value)?.essence ?? ''
  return essence === 'application/json' || essence.endsWith('+json')
}
