/**
 * Checks that all dependencies support Node 20, because new versions of many packages don't. npm only prints a warning
 * in this case, so users would be the first to see an error.
 */
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
    ? [`${path}@${version}: requires Node ${range}, which excludes ${missing.join(', ')}`]
    : []
})
report('every dependency supports every supported Node version', problems)
