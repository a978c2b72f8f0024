// Each dependency is somebody else's release on our users' machines: it comes with a reason, in the record of them.
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
report('every dependency has a reason', [
  ...[...used]
    .filter((name) => needsReason(name) && !recorded.includes(name))
    .map((name) => `${name}: no line of ${record} says why`),
  ...recorded.filter((name) => !used.has(name)).map((name) => `${record}: ${name} is no dependency`),
])

// A script that a package runs when it is installed does so with all that its user may. Newer versions of npm run those
// that `allowScripts` names, and ask about the rest.
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
report('no install script of a dependency is run', [
  ...[...withScripts]
    .filter((name) => allowScripts[name] !== false)
    .map((name) => `${name}: has an install script that allowScripts of package.json does not deny`),
  ...Object.keys(allowScripts)
    .filter((name) => !withScripts.has(name))
    .map((name) => `package.json: allowScripts names ${name}, which has no install script`),
])
