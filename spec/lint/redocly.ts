import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { asList, asNode, asText, pathOf } from '../rules/read/json.ts'
import type { Documents, LintFinding } from './finding.ts'

const ownConfig = fileURLToPath(new URL('redocly.yaml', import.meta.url))
const cli = join(createRequire(import.meta.url).resolve('@redocly/cli/package.json'), '../bin/cli.js')

/**
 * Runs Redocly once for all files, because starting Redocly takes longer than linting a document.
 *
 * @param config Redocly's configuration file. The default is our configuration for the bundles.
 */
export async function lintFilesWithRedocly(
  files: ReadonlyMap<string, string>,
  config: string = ownConfig,
): Promise<LintFinding[]> {
  const names = new Map([...files].map(([name, file]) => [basename(file), name]))
  const options = [
    'lint',
    ...files.values(),
    '--config',
    config,
    '--format',
    'json',
    '--max-problems',
    '100000',
  ]
  const output = await outputOf(options)
  const reports = reportsIn(output)
  if (reports.length === 0) throw new Error(`Redocly printed no report:\n${output}`)
  return reports.flatMap((report) =>
    asList(asNode(report).problems).map((problem) => findingOf(problem, names)),
  )
}

/** Writes documents to temporary files and lints them. */
export async function lintWithRedocly(documents: Documents): Promise<LintFinding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-admin-lint-'))
  try {
    const files = [...documents].map(([name, document], index) => {
      const file = join(folder, `${index}.json`)
      writeFileSync(file, JSON.stringify(document))
      return [name, file] as const
    })
    return await lintFilesWithRedocly(new Map(files))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function outputOf(options: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        NO_COLOR: '1',
      },
    })
    const output: string[] = []
    const errors: string[] = []
    child.stdout.setEncoding('utf8').on('data', (text) => output.push(text))
    child.stderr.setEncoding('utf8').on('data', (text) => errors.push(text))
    child.on('error', reject)
    // Redocly exits with code 1 if it finds problems, and also if it fails.
    // If Redocly fails, it writes an error message instead of a report.
    child.on('close', () => resolve(output.length > 0 ? output.join('') : errors.join('')))
  })
}

/** Parses Redocly's output, which consists of one JSON document per file. */
function reportsIn(output: string): unknown[] {
  const parts = output.split(/^\}/m).slice(0, -1)
  return parts.map((part) => JSON.parse(`${part.slice(part.indexOf('{'))}}`))
}

function findingOf(problem: unknown, names: ReadonlyMap<string, string>): LintFinding {
  const { ruleId, message, location } = asNode(problem)
  const first = asNode(asList(location)[0])
  const file = basename(asText(asNode(first.source).ref))
  return {
    linter: 'redocly',
    rule: asText(ruleId),
    document: names.get(file) ?? file,
    path: pathOf(asText(first.pointer)),
    message: asText(message),
  }
}
