/**
 * Removes targets that aren't published, such as source files, from a manifest's `exports` or `imports`. Returns
 * undefined if no targets are left.
 *
 * @param {unknown} targets
 * @param {readonly string[]} files The manifest's `files`.
 * @returns {unknown}
 */
export function selectPublished(targets, files) {
  if (typeof targets === 'string') {
    const within = (entry) => targets.startsWith(`./${entry}/`)
    const isExcluded = files.some((entry) => entry.startsWith('!') && within(entry.slice(1)))
    // The manifest itself is always published.
    return targets === './package.json' || (files.some(within) && !isExcluded) ? targets : undefined
  }
  const selected = Object.entries(targets ?? {}).flatMap(([key, target]) => {
    const published = selectPublished(target, files)
    return published === undefined ? [] : [[key, published]]
  })
  return selected.length > 0 ? Object.fromEntries(selected) : undefined
}
