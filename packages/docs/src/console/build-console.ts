import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { SiteFiles } from '../site/sync-folder.ts'
import { consolePolicy } from './policy.ts'
import { splitConsolePage, withoutLogo } from './split-page.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../console/', import.meta.url))
const cli = dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json'))

/** What one version's console is made from. */
export interface ConsoleInput {
  readonly version: string
  readonly title: string
  /** The bundled document as a file. */
  readonly document: string
  /** Every version that has a console, in order. */
  readonly versions: readonly string[]
}

/**
 * Adds the Redoc console of one version as `console/<version>/`. What was rendered before from the same
 * document, template and renderer is taken from `cache`, because rendering takes seconds.
 *
 * @throws Error when the renderer fails.
 */
export async function addConsole(input: ConsoleInput, files: SiteFiles, cache: string): Promise<void> {
  const target = `console/${input.version}`
  mkdirSync(cache, { recursive: true })
  const kept = join(cache, `${keyOf(input)}.html`)
  if (!existsSync(kept)) await render(input, kept)
  const { page, theme, script } = splitConsolePage(
    withoutLogo(readFileSync(kept, 'utf8')),
    '../../assets/redoc.js',
  )
  files.set(`${target}/index.html`, page)
  files.set(`${target}/theme.js`, theme)
  files.set(`${target}/console.js`, script)
}

/** The renderer's script, which all versions share, without the image that it would fetch from its vendor. */
export const libraryScript = (): string =>
  withoutLogo(readFileSync(join(cli, 'lib/chunks/redoc.standalone.js'), 'utf8'))

function keyOf({ document, versions, title }: ConsoleInput): string {
  const hash = createHash('sha256').update(JSON.stringify([versions, title, consolePolicy]))
  const files = [
    document,
    join(folder, 'template.hbs'),
    join(folder, 'redocly.yaml'),
    join(cli, 'package.json'),
  ]
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 32)
}

async function render({ version, title, document, versions }: ConsoleInput, output: string): Promise<void> {
  const partial = `${output}.partial`
  const links = versions.map((id) =>
    id === version ? `<b aria-current="page">${id}</b>` : `<a href="../${id}/">${id}</a>`,
  )
  const options = {
    'templateOptions.policy': consolePolicy,
    'templateOptions.version': version,
    'templateOptions.switch': `<span class="versions">${links.join('')}</span>`,
    title,
    template: join(folder, 'template.hbs'),
    config: join(folder, 'redocly.yaml'),
    output: partial,
  }
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  await run(process.execPath, [join(cli, 'bin/cli.js'), 'build-docs', document, ...flags], { env })
  writeFileSync(output, readFileSync(partial))
  rmSync(partial)
}
