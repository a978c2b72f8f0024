// Checks that each dependency has a documented reason, because dependencies run on users' machines.
import { readSource, report, repositoryFiles } from './sources.ts'

const record = 'docs/adr/0004-dependencies.md'
const own = '@svc-admin/'
const types = '@types/'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifests = repositoryFiles(/^(package|spec\/package|test\/package|packages\/[^/]+\/package)\.json$/)
const used = new Set(
  manifests.flatMap((path) => {
    const { dependencies, devDependencies, optionalDependencies }: Manifest = JSON.parse(readSource(path))
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  }),
)
const recorded = readSource(record)
  .split('\n')
  .flatMap(
    (line) =>
      /^\| ([^|]+) \|/
        .exec(line)?.[1]
        ?.replace(/ \(.*\)/, '')
        .split(', ') ?? [],
  )
  .filter((name) => name !== 'dependency' && !name.startsWith('---'))

const needsReason = (name: string) => !name.startsWith(own) && !name.startsWith(types)
report('every dependency has a documented reason', [
  ...[...used]
    .filter((name) => needsReason(name) && !recorded.includes(name))
    .map((name) => `${name}: add a row with the reason to ${record}`),
  ...recorded
    .filter((name) => !used.has(name))
    .map((name) => `${record}: remove ${name}, which is not a dependency`),
])

/**
 * A package in the lock file. Install scripts run with all of the user's permissions. Newer npm versions run only the
 * scripts listed in `allowScripts`, and ask before running others.
 */
interface Locked {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>
}

const { allowScripts = {} }: { allowScripts?: Readonly<Record<string, boolean>> } = JSON.parse(
  readSource('package.json'),
)
const { packages }: Locked = JSON.parse(readSource('package-lock.json'))
const withScripts = new Set(
  Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, '')),
)
report('install scripts of dependencies are disabled', [
  ...[...withScripts]
    .filter((name) => allowScripts[name] !== false)
    .map((name) => `package.json: add "${name}": false to allowScripts, because it has an install script`),
  ...Object.keys(allowScripts)
    .filter((name) => !withScripts.has(name))
    .map((name) => `package.json: remove ${name} from allowScripts, because it has no install script`),
])
