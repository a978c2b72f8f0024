#!/usr/bin/env node
import { createInterface, type Interface } from 'node:readline'
import { runCommandLine } from './command/command.ts'
import { Misconfiguration } from './model/signals.ts'
import { columnsOf } from './report/text.ts'

const columns = columnsOf(process.stdout)

/** On the first signal, the run stops gracefully. The second signal kills the process. */
const interruption = (): AbortSignal => {
  const controller = new AbortController()
  const signals = ['SIGINT', 'SIGTERM'] as const
  const abort = (): void => {
    for (const signal of signals) process.off(signal, abort)
    controller.abort()
  }
  for (const signal of signals) process.on(signal, abort)
  return controller.signal
}

let reader: Interface | undefined
let responses: AsyncIterator<string> | undefined

process.exitCode = await runCommandLine(process.argv.slice(2), {
  write: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  progress: process.stderr,
  columns,
  interruption,
  color: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  async ask(question, suggestion = '') {
    // All questions share one reader, because a second reader would miss input that the first one has already read.
    reader ??= createInterface({ input: process.stdin, output: process.stdout })
    responses ??= reader[Symbol.asyncIterator]()
    process.stdout.write(suggestion === '' ? `${question}: ` : `${question} [${suggestion}]: `)
    const { value, done } = await responses.next()
    if (done) {
      process.stdout.write('\n')
      throw new Misconfiguration(`no file was written, because this question was not answered: ${question}`)
    }
    return value === '' ? suggestion : value
  },
})
reader?.close()
