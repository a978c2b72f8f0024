import type { Facts, OpenApiDocument, VersionFact } from '../src/model.ts'

/**
 * Returns a function that creates the URL for a resource's path. If the document's own generation doesn't have the
 * resource, the URL is in the newest generation.
 */
export function addressesOf(
  { servers, paths }: OpenApiDocument,
  { generation }: VersionFact,
  { generations }: Facts,
): (path: string) => string {
  const own = servers[0]?.url ?? ''
  const newest = Object.values(generations).at(-1)?.prefix ?? ''
  const elsewhere = own.replace(generations[generation]?.prefix ?? '', newest)
  const patterns = Object.keys(paths).map((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))
  return (path) => {
    const [resource = ''] = path.split('?')
    return (patterns.some((pattern) => pattern.test(resource)) ? own : elsewhere) + path
  }
}
