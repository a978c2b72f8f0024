// The newest version of many packages has left Node 20 behind, and npm only warns. A dependency that does not run on
// every Node that we name fails at the user's, not here.
import semver from 'semver'
import { readSource, report } from './sources.ts'

const supported = ['20.19.0', '22.13.0', '24.0.0', '26.0.0']

interface Lock {
  packages: Record<string, { version?: string; optional?: boolean; engines?: { node?: string } | string[] }>
}

const lock: Lock = JSON.parse(readSource('package-lock.json'))
const problems = Object.entries(lock.packages).flatMap(([path, { version, optional, engines }]) => {
  const range = engines && !Array.isArray(engines) ? engines.node : undefined
  const missing = range && !optional ? supported.filter((node) => !semver.satisfies(node, range)) : []
  return missing.length > 0
    ? [`${path}@${version}: needs Node ${range}, which ${missing.join(', ')} are not`]
    : []
})
report('every dependency runs on every Node that we name', problems)
