#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { runCommandLine } from './command/command.ts'

/** Reports are made for 80 columns; wider terminals do not make them easier to read. */
const columns = Math.min(process.stdout.columns ?? 80, 100)

process.exitCode = await runCommandLine(process.argv.slice(2), {
  write: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  progress: process.stderr,
  columns,
  colour: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  async ask(question, suggestion = '') {
    const reader = createInterface({ input: process.stdin, output: process.stdout })
    const answer = await reader.question(
      suggestion === '' ? `${question}: ` : `${question} [${suggestion}]: `,
    )
    reader.close()
    return answer === '' ? suggestion : answer
  },
})
