/**
 * Returns the shortest relative address that leads from one page to another. Relative addresses allow the site to be
 * hosted under any path. Both arguments are paths from the site's root.
 */
export function relativeAddress(page: string, address: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(address) ?? []
  if (path === page && rest !== '') return rest
  const from = page.split('/').slice(1, -1)
  const to = path.split('/').slice(1)
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same += 1
  const relative = `${'../'.repeat(from.length - same)}${to.slice(same).join('/')}`
  return `${relative || './'}${rest}`
}
