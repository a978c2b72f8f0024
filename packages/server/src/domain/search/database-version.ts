import { limits } from '@svc-admin/types'

/** Versions are compared part by part, because 4.10 is a later version than 4.2. */
const earliest = partsOf(String(limits.searchDatabaseVersion.minimum))

export function hasSearch(version: string): boolean {
  const [major, minor] = partsOf(version)
  return major > earliest[0] || (major === earliest[0] && minor >= earliest[1])
}

function partsOf(version: string): readonly [number, number] {
  const [major = '0', minor = '0'] = version.split('.')
  return [Number(major), Number(minor)]
}
