/** The name of a path parameter, and its value. */
export type PathValue = [name: string, value: string]

/**
 * Returns the values of path parameters in a link. If the link is for a different resource, returns only values that
 * are directly followed by a literal segment that both paths share.
 */
export function valuesIn(template: string, link: string): PathValue[] {
  const wanted = template.split('/').slice(1)
  const found = segmentsOf(link, wanted[0])
  const end = wanted.findIndex((segment, index) => !nameOf(segment) && segment !== found[index])
  const isWhole = end === -1 && found.length >= wanted.length
  return wanted
    .slice(0, isWhole ? wanted.length : Math.max(end, 0))
    .flatMap((segment, index): PathValue[] => {
      const name = nameOf(segment)
      const isCertain = isWhole || (!nameOf(wanted[index + 1]) && wanted[index + 1] === found[index + 1])
      return name && isCertain ? [[name, found[index] ?? '']] : []
    })
}

/**
 * Finds the template that a link matches. If this template ends with a parameter, returns the parameter's name and
 * value.
 */
export function resourceIn(templates: string[], link: string): { name: string; value: string } | undefined {
  for (const template of templates) {
    const wanted = template.split('/').slice(1)
    const found = segmentsOf(link, wanted[0])
    const name = nameOf(wanted.at(-1))
    const isSame =
      found.length === wanted.length && wanted.every((each, at) => nameOf(each) || each === found[at])
    if (name && isSame) return { name, value: found.at(-1) ?? '' }
  }
  return undefined
}

/** Returns the segments of the path in a link. Segments before the first segment of the template are omitted. */
function segmentsOf(link: string, first = ''): string[] {
  const [path = ''] = link.split(/[?#]/)
  const all = path.split('/').map(decoded)
  const start = all.indexOf(first)
  return start === -1 ? [] : all.slice(start)
}

const nameOf = (segment = ''): string | undefined => /^\{([^{}]+)\}$/.exec(segment)?.[1]

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
