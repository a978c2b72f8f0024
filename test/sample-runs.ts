import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * A sample to run. Before a sample runs, the runner posts to `SVC_STAGE_URL/<name>` to prepare the server. The response
 * is the access token for `SVC_TOKEN`.
 */
export interface Trial {
  readonly name: string
  readonly text: string
}

/** Each sample's outcome, which is a status such as `200` or an error message. */
export type Outcomes = ReadonlyMap<string, string>

export type Runner = (
  trials: readonly Trial[],
  environment: Readonly<Record<string, string>>,
) => Promise<Outcomes>

export const has = (tool: string, flag = '--version'): boolean => spawnSync(tool, [flag]).status === 0

/** Creates a folder where programs can import the repository's packages. */
function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const parent = fileURLToPath(new URL('./node_modules/', import.meta.url))
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, '.samples-'))
  return use(folder).finally(() => rmSync(folder, { recursive: true, force: true }))
}

const mark = '\u0001sample '

/**
 * Reads the output between two markers. Returns the last line that contains a status or, if there is none, the last
 * line.
 */
function outcomesOf(output: string): Outcomes {
  return new Map(
    output
      .split(mark)
      .slice(1)
      .map((part): [string, string] => {
        const [name = '', ...lines] = part.trim().split('\n')
        const status = lines.findLast((line) => /^status \d{3}$/.test(line))?.slice(7)
        return [name, status && status < '300' ? status : lines.join('\n').slice(0, 600)]
      }),
  )
}

/**
 * Processes are started one after another, because starting all of them at the same time would test the machine instead
 * of the samples.
 */
async function start(
  program: string,
  args: readonly string[],
  { folder, environment }: { folder: string; environment: Readonly<Record<string, string>> },
): Promise<Outcomes> {
  const env = { ...process.env, ...environment }
  const { stdout } = await run(program, [...args], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })
  return outcomesOf(stdout)
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Wraps `curl` to print the status after the response. */
export const runShell: Runner = (trials, environment) =>
  withFolder(async (folder) => {
    const script = trials.map((trial) => [
      `printf '%s\\n' ${quoted(mark + trial.name)}`,
      `export SVC_TOKEN=$(command curl -sS --fail-with-body -d '' "$SVC_STAGE_URL/${trial.name}")`,
      `(\n${trial.text}\n) 2>&1`,
    ])
    const told = `curl() { command curl -w '\\nstatus %{http_code}\\n' "$@"; }`
    writeFileSync(join(folder, 'samples.sh'), `${told}\n${script.flat().join('\n')}\n`)
    return start('sh', ['samples.sh'], { folder, environment })
  })

export const runPython: Runner = (trials, environment) =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, 'samples.json'), JSON.stringify(trials))
    writeFileSync(
      join(folder, 'run_samples.py'),
      `import json, os, traceback, urllib.error, urllib.request
for trial in json.load(open("samples.json")):
    print(${JSON.stringify(mark)} + trial["name"])
    try:
        urllib.request.urlopen(os.environ["SVC_STAGE_URL"] + "/" + trial["name"], data=b"")
        exec(compile(trial["text"], trial["name"], "exec"), {"__name__": "__main__"})
        print("\\nstatus 200")
    except urllib.error.HTTPError as error:
        print(error.status, error.read().decode())
    except BaseException:
        print(traceback.format_exc())
`,
    )
    return start('python3', ['run_samples.py'], { folder, environment })
  })

export const runTypescript: Runner = (trials, environment) =>
  withFolder(async (folder) => {
    trials.forEach(({ text }, index) => {
      writeFileSync(join(folder, `sample-${index}.mts`), text)
    })
    writeFileSync(join(folder, 'samples.json'), JSON.stringify(trials))
    writeFileSync(
      join(folder, 'run-samples.mts'),
      `import { readFileSync } from 'node:fs'
const trials = JSON.parse(readFileSync('samples.json', 'utf8'))
for (const [index, { name }] of trials.entries()) {
  console.log(${JSON.stringify(mark)} + name)
  try {
    const answer = await fetch(process.env.SVC_STAGE_URL + '/' + name, { method: 'POST' })
    if (!answer.ok) throw new Error(await answer.text())
    await import(\`./sample-\${index}.mts\`)
    console.log('\\nstatus 200')
  } catch (error) {
    console.log(error)
  }
}
`,
    )
    const flags = ['--conditions=@svc-admin/source', '--import', 'tsx']
    return start(process.execPath, [...flags, 'run-samples.mts'], { folder, environment })
  })

/**
 * Every Go program becomes a package in a single program, because linking each of them separately would take a minute.
 */
export const runGo: Runner = (trials, environment) =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, 'go.mod'), 'module samples\n\ngo 1.21\n')
    trials.forEach(({ text }, index) => {
      const own = text
        .replace(/^package main$/m, `package s${index}`)
        .replace(/^func main\(\)/m, 'func Main()')
      mkdirSync(join(folder, `s${index}`))
      writeFileSync(join(folder, `s${index}/main.go`), own)
    })
    const calls = trials.map(({ name }, index) => `\tstage("${name}")\n\ts${index}.Main()`)
    writeFileSync(
      join(folder, 'main.go'),
      `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
${trials.map((_, index) => `\t"samples/s${index}"`).join('\n')}
)

func stage(name string) {
	fmt.Println("\\x01sample " + name)
	answer, err := http.Post(os.Getenv("SVC_STAGE_URL")+"/"+name, "", nil)
	if err != nil || answer.StatusCode != 200 {
		log.Fatal(name, answer, err)
	}
	token, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	os.Setenv("SVC_TOKEN", string(token))
}

func main() {
${calls.join('\n')}
}
`,
    )
    const offline = { CGO_ENABLED: '0', GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' }
    const env = { ...process.env, ...offline }
    // The first build also compiles Go's standard library. With optimizations, this would take longer than running all
    // samples.
    const args = ['build', '-gcflags=all=-N -l', '-o', 'samples', '.']
    await run('go', args, { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 })
    return goOutcomes(await start(join(folder, 'samples'), [], { folder, environment }))
  })

/** The programs print the status and the response on the same line. */
const goOutcomes = (outcomes: Outcomes): Outcomes =>
  new Map([...outcomes].map(([name, text]) => [name, /^(2\d\d) /m.exec(text)?.[1] ?? text]))
