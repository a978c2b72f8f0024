import { parse } from 'yaml'

/** Returns the paths in a version's index, with the file for each path. */
export const indexedPaths = (index: string): ReadonlyMap<string, string> => {
  const { paths } = parse(index) as { paths: Record<string, { $ref: string }> }
  return new Map(Object.entries(paths).map(([path, { $ref }]) => [path, $ref]))
}

/** Adds a line to the paths in an index, in alphabetical order. */
export function withPath(index: string, path: string, reference: string): string {
  const lines = index.split('\n')
  const first = lines.indexOf('paths:') + 1
  const isPath = (line: string | undefined) => line?.match(/^ {2}(\/[^:]*):/)?.[1]
  let at = first
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const other = isPath(line)
    const ended = line !== '' && !line.startsWith('  ')
    if (ended || line === '' || (other !== undefined && other > path)) break
  }
  return [...lines.slice(0, at), ...lineOf(path, reference), ...lines.slice(at)].join('\n')
}

const width = 110

const lineOf = (path: string, reference: string): string[] => {
  const one = `  ${path}: { $ref: ${reference} }`
  return one.length <= width ? [one] : [`  ${path}:`, `    $ref: ${reference}`]
}
