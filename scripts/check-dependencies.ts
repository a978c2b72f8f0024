// Each dependency is somebody else's release on our users' machines: it comes with a reason, in the record of them.
import { readSource, report, repositoryFiles } from './sources.ts'

const record = 'docs/adr/0004-dependencies.md'
const own = '@svc-admin/'
const types = '@types/'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const manifests = repositoryFiles(/^(package|spec\/package|test\/package|packages\/[^/]+\/package)\.json$/)
const used = new Set(
  manifests.flatMap((path) => {
    const { dependencies, devDependencies }: Manifest = JSON.parse(readSource(path))
    return Object.keys({ ...dependencies, ...devDependencies })
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
