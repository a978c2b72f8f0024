/**
 * Returns the `info.version` for a version: `2025.3.12` for 2025-03-12, and `1.0.0` for v1.0. Code generators use this
 * value as the version of the generated package, and npm, PyPI and Cargo don't accept dates with hyphens. Any other
 * text is returned unchanged.
 */
export function versionNumberOf(id: string): string {
  if (!/^v?\d+([-.]\d+){1,2}$/.test(id)) return id
  const numbers = id.replace(/^v/, '').split(/[-.]/).map(Number)
  return [...numbers, 0, 0].slice(0, 3).join('.')
}
