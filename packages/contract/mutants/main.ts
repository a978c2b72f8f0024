/**
 * Tests the kit by introducing bugs into the reference server's responses, one at a time, and checking whether the kit
 * detects them.
 */
import { writeFileSync } from 'node:fs'
import { flagsOf } from '../../../scripts/flags.ts'
import { loadApi } from '../src/model/api.ts'
import { hashOf } from '../src/model/random.ts'
import { formatNumber } from '../src/report/text.ts'
import { type Candidate, candidatesOf, drawn } from './candidates.ts'
import { type Detection, type DetectionReport, detectionOf, isEnough } from './detection.ts'
import { openHarness } from './harness.ts'
import { elapsed, openNotes, shardOf } from './notes.ts'
import { operators } from './operators/index.ts'
import { type MutantOutcome, runCell, whySurvived } from './outcomes.ts'
import { statedPromises } from './promises.ts'
import { type RunningServer, startServer } from './server.ts'
import { excuseFor } from './survivors.ts'

const values = flagsOf('npm run mutants -w packages/contract', {
  'base-url': {
    type: 'string',
    takes: '<address>',
    says: 'Use this running server instead of starting one (requires --control)',
  },
  control: { type: 'string', takes: '<address>', says: 'Use this control interface with --base-url' },
  operator: { type: 'string', multiple: true, takes: '<name>', says: 'Test only mutants from this operator' },
  not: { type: 'string', multiple: true, takes: '<name>', says: 'Skip mutants from this operator' },
  operation: { type: 'string', multiple: true, takes: '<id>', says: 'Test only this operation' },
  version: { type: 'string', multiple: true, takes: '<version>', says: 'Test only this version' },
  only: { type: 'string', takes: '<text>', says: 'Test only mutants with this text in their ID' },
  sample: {
    type: 'string',
    takes: '<n>',
    says: 'Test every n-th mutant, starting with one chosen by the seed',
  },
  limit: { type: 'string', takes: '<n>', says: 'Test <n> random mutants' },
  seed: { type: 'string', default: '1', takes: '<n>', says: 'Use this seed for --sample and --limit' },
  json: { type: 'string', takes: '<file>', says: 'Write all results to this file' },
  shard: { type: 'string', default: '1/1', takes: '<1/4>', says: 'Test only one part of the mutants' },
  journal: { type: 'string', takes: '<file>', says: 'Record each result in this file immediately' },
  resume: { type: 'boolean', says: 'Skip mutants that the journal already contains' },
  detection: {
    type: 'string',
    takes: '<file>',
    says: 'Write the detection rate of each requirement to this file, and fail if the kit detects too few mutants',
  },
  nothing: {
    type: 'boolean',
    says: 'Run without injected bugs to check the command itself. The kit must not detect any mutants',
  },
})

/**
 * Selects the mutants to test. `--sample` selects every n-th mutant, so that every kind of mutant is covered. `--limit`
 * selects random mutants.
 */
const sampled = (candidates: readonly Candidate[]): Candidate[] => {
  const [every, seed] = [Number(values.sample ?? 1), Number(values.seed)]
  const named = candidates.filter(
    ({ id, operator, cell }) =>
      (!values.operator || values.operator.includes(operator)) &&
      !values.not?.includes(operator) &&
      (!values.operation || values.operation.includes(cell.operation.id)) &&
      (!values.version || values.version.includes(cell.version.id)) &&
      (!values.only || id.includes(values.only)),
  )
  const { index, of } = shardOf(values.shard)
  const here = named.filter(({ cell }) => hashOf(cell.key) % of === index)
  const nth = here.filter((_, place) => (place + seed - 1) % every === 0)
  if (values.limit === undefined) return nth
  return drawn(nth, seed).slice(0, Number(values.limit))
}

const log = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const table = (outcomes: readonly MutantOutcome[]): string[] => {
  const names = [...new Set(outcomes.map(({ operator }) => operator))]
  return names.map((name) => {
    const own = outcomes.filter(({ operator }) => operator === name)
    return `  ${name.padEnd(34)} ${String(own.filter(({ killed }) => killed).length).padStart(5)} of ${own.length}`
  })
}

/** Lists the requirements with undetected mutants, followed by the overall detection rate. */
const detectionTable = ({ requirements, mutants, found }: DetectionReport): string[] => {
  const share = (one: Detection): string => `${((100 * one.found) / one.mutants).toFixed(1)} %`
  const missed = Object.entries(requirements).filter(([, one]) => one.found < one.mutants)
  return [
    ...missed.map(([id, one]) => `  ${id.padEnd(50)} ${one.found} of ${one.mutants} found`),
    `detection rate: ${share({ mutants, found })} of ${formatNumber(mutants)} mutants`,
  ]
}

const givenServer = (): RunningServer | undefined => {
  const { 'base-url': baseUrl, control } = values
  if (baseUrl === undefined && control === undefined) return undefined
  if (baseUrl !== undefined && control !== undefined) return { baseUrl, control, stop: () => {} }
  process.stderr.write(
    '--base-url and --control must be used together, because the control interface installs the mutants\n',
  )
  process.exit(2)
}

const main = async (): Promise<number> => {
  const began = performance.now()
  const startedAt = new Date().toISOString()
  const server = givenServer() ?? (await startServer())
  const harness = await openHarness(server)
  const { cells } = loadApi()
  const everything = candidatesOf(harness, cells)
  const candidates = sampled(everything)
  const wanted = new Set(candidates.map(({ id }) => id))
  const notes = openNotes<MutantOutcome>(values.journal, values.resume)
  const outcomes: MutantOutcome[] = notes.earlier.filter(({ id }) => wanted.has(id))
  const done = new Set(outcomes.map(({ id }) => id))
  log(
    `${formatNumber(candidates.length)} mutants, ${operators.length + 1} operators, ${cells.length} versions of operations`,
  )
  if (done.size > 0) log(`${formatNumber(done.size)} were already tested`)
  for (const cell of cells) {
    const own = candidates.filter((candidate) => candidate.cell === cell && !done.has(candidate.id))
    if (own.length === 0) continue
    for (const outcome of await runCell(harness, cell, own, log, values.nothing)) {
      outcomes.push(outcome)
      notes.note(outcome)
    }
    log(
      `${formatNumber(outcomes.length)} of ${formatNumber(candidates.length)} mutants tested, ${elapsed(began)}`,
    )
  }
  await harness.close()
  server.stop()
  const survivors = outcomes.filter(({ killed }) => !killed)
  const unexcused = survivors.filter((outcome) => excuseFor(outcome) === undefined)
  const kitErrors = outcomes.flatMap((outcome) => outcome.kitErrors.map((error) => `${outcome.id}: ${error}`))
  for (const line of table(outcomes)) log(line)
  for (const outcome of survivors) log(`survived: ${outcome.id}: ${whySurvived(outcome)}`)
  for (const error of kitErrors) log(`kit error: ${error}`)
  // If only some mutants were tested, skip this check, because some requirements were never broken.
  const stated = outcomes.length === everything.length ? await statedPromises() : []
  const proven = new Set(outcomes.flatMap(({ by }) => by))
  const unproven = stated.filter((id) => !proven.has(id))
  for (const id of unproven) log(`no mutant violates ${id}`)
  const elsewhere = outcomes.filter(({ killed, expected }) => killed && !expected)
  for (const { id, by } of elsewhere) log(`detected by other requirements: ${id}: ${by.join(', ')}`)
  log(
    `${formatNumber(outcomes.length - survivors.length)} of ${formatNumber(outcomes.length)} killed, ${unexcused.length} unexplained survivors, ${kitErrors.length} kit errors, ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )
  if (values.json) writeFileSync(values.json, `${JSON.stringify(outcomes, null, 1)}\n`)
  if (values.detection) {
    const detection = detectionOf(outcomes, { seed: Number(values.seed), startedAt })
    writeFileSync(values.detection, `${JSON.stringify(detection, null, 1)}\n`)
    for (const line of detectionTable(detection)) log(line)
    return kitErrors.length === 0 && isEnough(detection) ? 0 : 1
  }
  return unexcused.length + kitErrors.length + unproven.length === 0 ? 0 : 1
}

process.exitCode = await main()
