// The data flows one way: spec → types → { client, server, contract, docs }. One import in the other direction and
// the kit would test the server with the server's own code.
import { posix } from 'node:path'
import { readSource, report, repositoryFiles } from './sources.ts'

/** What each package may import of the others at run time; tests may import what they test against. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  spec: [],
  'packages/types': ['spec'],
  'packages/client': ['types'],
  'packages/server': ['spec', 'types'],
  'packages/contract': ['spec', 'types'],
  'packages/docs': ['spec', 'types'],
}

/** Inside the server: `http` asks `operations`, which ask `domain` and `persistence`; `domain` asks nobody. */
const serverLayers: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  persistence: ['persistence', 'domain', 'world'],
}

const isTest = (path: string) =>
  /\.test\.ts$|\/(test|testing|mutants|bench|browser|generate|fixtures)\//.test(path)
const imports = (text: string) =>
  [...text.matchAll(/^\s*(?:import|export)[^'"]*?from\s+'([^']+)'/gm)].map(([, name]) => name ?? '')

function problemsOf(path: string): string[] {
  const home = Object.keys(allowed).find((folder) => path.startsWith(`${folder}/`))
  if (!home || isTest(path)) return []
  return imports(readSource(path)).flatMap((name) => {
    const sibling = /^@svc-admin\/([\w-]+)/.exec(name)?.[1]
    if (sibling && `packages/${sibling}` !== home && !allowed[home]?.includes(sibling))
      return [`${path}: imports ${name}, which ${home} must not know`]
    return layerProblem(path, name)
  })
}

function layerProblem(path: string, name: string): string[] {
  const layer = /^packages\/server\/src\/([\w-]+)\//.exec(path)?.[1]
  const rules = layer ? serverLayers[layer] : undefined
  if (!rules || !name.startsWith('.')) return []
  const target = /^packages\/server\/src\/([\w-]+)\//.exec(posix.join(posix.dirname(path), name))?.[1]
  return target && !rules.includes(target)
    ? [`${path}: imports ${name}; ${layer} must not know ${target}`]
    : []
}

report('imports point one way', repositoryFiles(/\.ts$/).flatMap(problemsOf))
