/**
 * Returns the `info.version` of a version's document: `2025.3.12` for 2025-03-12, and `1.0.0` for v1.0. Generators use
 * it as the version of their package, and npm, PyPI and Cargo reject dates with hyphens. Other texts are unchanged.
 */
export function versionNumberOf(id: string): string {
  if (!/^v?\d+([-.]\d+){1,2}$/.test(id)) return id
  const numbers = id.replace(/^v/, '').split(/[-.]/).map(Number)
  return [...numbers, 0, 0].slice(0, 3).join('.')
}
