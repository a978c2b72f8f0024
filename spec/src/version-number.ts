/**
 * Returns the `info.version` of a version's document: `2025.3.12` for 2025-03-12, and `1.0.0` for v1.0. Generators use
 * this value as their package's version, and npm, PyPI and Cargo reject dates with hyphens. Returns other texts
 * unchanged.
 */
export function versionNumberOf(id: string): string {
  if (!/^v?\d+([-.]\d+){1,2}$/.test(id)) return id
  const numbers = id.replace(/^v/, '').split(/[-.]/).map(Number)
  return [...numbers, 0, 0].slice(0, 3).join('.')
}
