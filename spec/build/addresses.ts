import type { Facts, OpenApiDocument, VersionFact } from '../src/model.ts'

/**
 * Returns the URL for a resource's path. The URL is in the document's generation if that generation contains
 * the resource. For all other resources, the URL is in the newest generation.
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
