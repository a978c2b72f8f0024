import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { installPacked } from '../../packages/client/test/packed.ts'

const home = new URL('./', import.meta.url)

/** Returns the scenario as a JavaScript module, for runtimes that don't support TypeScript. */
export const scenario = ts.transpileModule(readFileSync(new URL('scenario.ts', home), 'utf8'), {
  compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
}).outputText

/** The paths of the built client and the openapi-fetch module in a sandbox's folder. */
export const clientDist = 'node_modules/@svc-admin/client/dist'
export const openapiFetch = 'node_modules/openapi-fetch/dist/index.mjs'

/** Creates a folder that contains the packed client and the programs that use it. */
export function createSandbox(): string {
  const folder = mkdtempSync(join(tmpdir(), 'client-runtimes-'))
  installPacked(folder)
  for (const name of ['program.mjs', 'program.cjs', 'worker.mjs']) {
    cpSync(fileURLToPath(new URL(name, home)), join(folder, name))
  }
  writeFileSync(join(folder, 'scenario.mjs'), scenario)
  const dependencies = { '@svc-admin/client': '*' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  return folder
}
