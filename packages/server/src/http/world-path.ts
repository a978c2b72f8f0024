/** How the id of a world is written. */
export const worldIdPattern = '[a-z0-9][a-z0-9-]{0,62}'

const worldPath = new RegExp(`^/worlds/(${worldIdPattern})(/.*|\\?.*)?$`, 's')

/** What a world has in front of its paths. */
export const worldPrefix = (id: string): string => `/worlds/${id}`

/** The path within its world of a request's target: what the routes know. */
export function withinWorld(url: string): string {
  if (!url.startsWith('/worlds/')) return url
  const found = worldPath.exec(url)
  if (!found) return url
  const [, , rest = '/'] = found
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** The world that a target names, if it does. */
export function worldIdOf(target: string): string | undefined {
  return target.startsWith('/worlds/') ? worldPath.exec(target)?.[1] : undefined
}
