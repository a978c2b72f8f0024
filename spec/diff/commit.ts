import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Facts, Requirement } from '../src/model.ts'
import { readDocument } from '../src/read-document.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export function git(...options: string[]): string {
  return execFileSync('git', options, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
}

export interface Bundles {
  documents: Map<string, unknown>
  facts: Facts
  requirements: Requirement[]
}

export function readBundles(dist: string): Bundles {
  const read = (name: string) => JSON.parse(readFileSync(join(dist, name), 'utf8'))
  const facts: Facts = read('facts.json')
  const requirements: Requirement[] = read('requirements.json')
  const folder = pathToFileURL(`${dist}/`)
  const documents = new Map(facts.versions.map(({ id }) => [id, readDocument(folder, id)]))
  return { facts, requirements, documents }
}

/**
 * Copies the files of a commit to a temporary folder and runs the commit's own build step there. The build uses the
 * packages that are already installed, and doesn't change the repository.
 *
 * @throws Error if the commit is unknown, or if the build fails.
 */
export function bundlesOfCommit(commit: string): Bundles {
  const copy = mkdtempSync(join(tmpdir(), 'svc-admin-commit-'))
  try {
    const archive = execFileSync('git', ['archive', commit, 'spec', 'scripts', 'tsconfig.base.json'], {
      cwd: root,
      maxBuffer: 1 << 29,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    execFileSync('tar', ['-x', '-C', copy], { input: archive })
    for (const folder of ['node_modules', 'spec/node_modules'])
      if (existsSync(join(root, folder))) symlinkSync(join(root, folder), join(copy, folder))
    const tsx = createRequire(import.meta.url).resolve('tsx/cli')
    execFileSync(process.execPath, [tsx, 'build/main.ts'], {
      cwd: join(copy, 'spec'),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    return readBundles(join(copy, 'spec/dist'))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
