export const worldIdPattern = '[a-z0-9][a-z0-9-]{0,62}'

const worldPath = new RegExp(`^/worlds/(${worldIdPattern})(/.*|\\?.*)?$`, 's')

/** Returns a world's path prefix. */
export const worldPrefix = (id: string): string => `/worlds/${id}`

/** Removes the world's prefix from a request target. */
export function withinWorld(url: string): string {
  if (!url.startsWith('/worlds/')) return url
  const found = worldPath.exec(url)
  if (!found) return url
  const [, , rest = '/'] = found
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Returns the ID of the world in a request target, if any. */
export function worldIdOf(target: string): string | undefined {
  return target.startsWith('/worlds/') ? worldPath.exec(target)?.[1] : undefined
}
