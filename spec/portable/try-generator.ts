import { type Generator, type Job, run } from './generator.ts'
import { type Row, steps } from './report.ts'

/** Generates, compiles and runs a client. If a stage fails, the subsequent stages are skipped. */
export async function tryGenerator(
  generator: Generator,
  job: Job,
  env: Readonly<Record<string, string>>,
): Promise<Row> {
  const { name } = generator
  const started = performance.now()
  const results: Row['results'][number][] = []
  const problems: string[] = []
  const finish = (): Row => ({ name, results, problems, seconds: (performance.now() - started) / 1000 })
  const stages = { install: generator.install, generate: generator.generate, compile: generator.compile }
  for (const [stage, work] of Object.entries(stages)) {
    const problem = await failureOf(work(job))
    if (stage !== 'install') results.push({ step: stage, passed: problem === undefined })
    if (problem === undefined) continue
    problems.push(`${stage}: ${problem}`)
    return finish()
  }
  const program = generator.program(job)
  const use = run({ ...program, env: { ...program.env, ...env } }, job.folder)
  const output = await use.catch((error: Error) => error.message)
  for (const step of steps) {
    const line = output.split('\n').find((each) => each.includes(`: ${step}`))
    const passed = line === `ok: ${step}`
    results.push({ step, passed })
    if (passed) continue
    problems.push(line?.replace('failed: ', '') ?? `${step}: not reached. ${output}`)
    if (!line) return finish()
  }
  return finish()
}

const failureOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: Error) => error.message,
  )
