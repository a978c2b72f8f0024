// Selects the published targets of a manifest.

/**
 * Removes targets in `exports` or `imports` that aren't published, such as source files. Returns undefined if none
 * are left.
 *
 * @param {unknown} targets
 * @param {readonly string[]} files `files` in the manifest.
 * @returns {unknown}
 */
export function selectPublished(targets, files) {
  if (typeof targets === 'string') {
    const within = (entry) => targets.startsWith(`./${entry}/`)
    const isExcluded = files.some((entry) => entry.startsWith('!') && within(entry.slice(1)))
    // npm always publishes the manifest.
    return targets === './package.json' || (files.some(within) && !isExcluded) ? targets : undefined
  }
  const selected = Object.entries(targets ?? {}).flatMap(([key, target]) => {
    const published = selectPublished(target, files)
    return published === undefined ? [] : [[key, published]]
  })
  return selected.length > 0 ? Object.fromEntries(selected) : undefined
}
