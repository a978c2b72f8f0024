import type { Result } from '../model/result.ts'
import { cut, formatNumber } from './text.ts'

/** Where progress is shown: a terminal in which lines can be overwritten, or a log. */
export interface ProgressOutput {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

export interface Progress {
  note(result: Result): void
  /** Shows that the run is waiting for the given number of seconds. */
  wait(seconds: number): void
  end(): void
}

const isBroken = ({ verdict }: Result): boolean =>
  verdict === 'FAIL' || verdict === 'WARN' || verdict === 'KIT ERROR'

const retry = (seconds: number): string => `waiting ${formatNumber(seconds)} s, as requested by the target`

const clear = '\r\u001b[2K'

/** The number of progress lines in a log: one for every 10%. */
const steps = 10

const bar = (share: number, width: number): string => {
  const filled = Math.round(share * width)
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}]`
}

const forPeople = (total: number, output: ProgressOutput): Progress => {
  let [done, broken] = [0, 0]
  return {
    note(result) {
      done += 1
      if (isBroken(result)) broken += 1
      const line = `${bar(done / total, 20)} ${formatNumber(done)}/${formatNumber(total)}  ${formatNumber(broken)} failed  ${result.id}`
      output.write(clear + cut(line.replaceAll(/\s/g, ' '), (output.columns || 80) - 1))
    },
    wait: (seconds) => output.write(clear + cut(retry(seconds), (output.columns || 80) - 1)),
    end: () => output.write(clear),
  }
}

const forLogs = (total: number, output: ProgressOutput): Progress => {
  let [done, broken] = [0, 0]
  return {
    note(result) {
      done += 1
      if (isBroken(result)) broken += 1
      if (isBroken(result)) output.write(`${result.verdict} ${JSON.stringify(result.id).slice(1, -1)}\n`)
      const passed = Math.floor((done * steps) / total) > Math.floor(((done - 1) * steps) / total)
      if (passed && done <= total)
        output.write(
          `${formatNumber(done)} of ${formatNumber(total)} checks, ${formatNumber(broken)} failed\n`,
        )
    },
    wait: (seconds) => output.write(`${retry(seconds)}\n`),
    end: () => {},
  }
}

/** Shows a run's progress: as one changing line in a terminal, or as plain lines in a log. */
export const createProgress = (total: number, output: ProgressOutput): Progress =>
  output.isTTY ? forPeople(Math.max(1, total), output) : forLogs(Math.max(1, total), output)
