import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { siteFiles } from '../src/build-site.ts'
import type { Inputs } from '../src/inputs.ts'
import { largeInputs } from './large-document.ts'

/** A site's build time and size. */
export interface BuildTime {
  readonly site: string
  readonly pages: number
  readonly files: number
  readonly seconds: number
  readonly 'processor seconds': number
}

const address = 'https://docs.example.com'

/** Measures two builds: one from our documents, and one from a document as large as the largest public documents. */
export function measureBuilds(inputs: Inputs): BuildTime[] {
  const large = largeInputs(inputs, 500)
  const [document] = large.documents.values()
  const size = (JSON.stringify(document).length / 1e6).toFixed(1)
  return [
    timed('our five documents', () => siteFiles(inputs, address)),
    timed(`one document of ${size} MB, 500 operations`, () => siteFiles(large, address)),
  ]
}

function timed(site: string, run: () => { pages: number; files: ReadonlyMap<string, unknown> }): BuildTime {
  const begun = performance.now()
  const before = process.cpuUsage()
  const { pages, files } = run()
  const { user, system } = process.cpuUsage(before)
  return {
    site,
    pages,
    files: files.size,
    seconds: (performance.now() - begun) / 1000,
    'processor seconds': (user + system) / 1e6,
  }
}

/**
 * Measures how many seconds the build command takes, first with an empty output folder and then with no changes since
 * the last build. The second value is the fastest of three runs.
 */
export function measureCommand(): { readonly whole: number; readonly again: number } {
  const script = fileURLToPath(new URL('../build.mjs', import.meta.url))
  const out = mkdtempSync(join(tmpdir(), 'svc-admin-docs-'))
  const run = (): number => {
    const begun = performance.now()
    const { status, stderr } = spawnSync(process.execPath, [script, '--out', out], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return (performance.now() - begun) / 1000
  }
  try {
    return { whole: run(), again: Math.min(run(), run(), run()) }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
