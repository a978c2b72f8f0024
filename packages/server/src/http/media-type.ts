/** A media type or media range in lowercase, with its quality from `Accept` (RFC 9110 §12.5.1). */
export interface MediaRange {
  readonly type: string
  readonly subtype: string
  readonly parameters: ReadonlyMap<string, string>
  readonly quality: number
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const pattern = new RegExp(`^\\s*(${token})/(${token})\\s*((?:;.*)?)$`, 's')
const codingPattern = new RegExp(`^\\s*(${token})\\s*((?:;.*)?)$`, 's')
const parameter = new RegExp(`;\\s*(?:(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token})))?\\s*`, 'sy')

/** Parses a media type or media range. Returns undefined if the text is invalid. */
export function parseMediaType(text: string): MediaRange | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const [, type = '', subtype = '', rest = ''] = match
  const parameters = parseParameters(rest)
  const quality = parameters && parseQuality(parameters.get('q'))
  if (!parameters || quality === undefined) return undefined
  parameters.delete('q')
  return { type: type.toLowerCase(), subtype: subtype.toLowerCase(), parameters, quality }
}

/** Parses `Accept`. Ignores invalid ranges and unknown types. */
export function parseAccept(header: string): MediaRange[] {
  return splitList(header)
    .map(parseMediaType)
    .filter((range) => range !== undefined)
}

/** Parses `Accept-Encoding` and returns each coding's quality (RFC 9110 §12.5.3). Invalid codings are ignored. */
export function parseCodings(header: string): ReadonlyMap<string, number> {
  return new Map(
    splitList(header).flatMap((text): [string, number][] => {
      const [, coding = '', rest = ''] = codingPattern.exec(text) ?? []
      const parameters = parseParameters(rest)
      const quality = parameters && parseQuality(parameters.get('q'))
      return coding === '' || quality === undefined ? [] : [[coding.toLowerCase(), quality]]
    }),
  )
}

/**
 * Returns the quality of a type in a list of ranges. The most specific range takes precedence (RFC 9110 §12.5.1). A
 * range with parameters is used only if no other range in the list matches the type. Although parameters usually mean a
 * different type, clients often add `charset`.
 */
export function qualityOf(ranges: readonly MediaRange[], type: string, subtype: string): number {
  const named = ranges.filter((range) => range.type === type && range.subtype === subtype)
  const specific = named.find(({ parameters }) => parameters.size === 0) ?? named[0]
  const family = ranges.find((range) => range.type === type && range.subtype === '*')
  const any = ranges.find((range) => range.type === '*' && range.subtype === '*')
  return (specific ?? family ?? any)?.quality ?? 0
}

function parseParameters(text: string): Map<string, string> | undefined {
  const found = new Map<string, string>()
  parameter.lastIndex = 0
  let end = 0
  for (;;) {
    const match = parameter.exec(text)
    if (!match) break
    end = parameter.lastIndex
    const [, name, quoted, plain = ''] = match
    if (name) found.set(name.toLowerCase(), quoted === undefined ? plain : quoted.replace(/\\(.)/gs, '$1'))
  }
  return end === text.length ? found : undefined
}

/** Parses a quality value, which is a number from 0 to 1 with at most three decimals (RFC 9110 §12.4.2). */
function parseQuality(text: string | undefined): number | undefined {
  if (text === undefined) return 1
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : undefined
}

/** Splits a header at each comma outside quotation marks. */
function splitList(header: string): string[] {
  return header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/gs) ?? []
}
