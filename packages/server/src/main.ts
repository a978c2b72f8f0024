#!/usr/bin/env node
import { constants } from 'node:os'
import { runBackup } from './backup-command.ts'
import { maskOptions, resolveOptions } from './options.ts'
import { optionsHelp } from './options-help.ts'
import { packageVersion } from './package-version.ts'
import type { RunningServer } from './running-server.ts'
import { startServer } from './start-server.ts'

/**
 * Runs the `svc-admin-server` command, including its `backup` subcommand. Reads options from flags, environment
 * variables and a file. SIGTERM and SIGINT stop the server.
 */
async function main(): Promise<void> {
  const flags = new Set(process.argv.slice(2))
  if (process.argv[2] === 'backup') return print(runBackup(process.argv.slice(3), process.env))
  if (flags.has('--help') || flags.has('-h')) return print(optionsHelp(packageVersion()))
  if (flags.has('--version')) return print(`${packageVersion()}\n`)
  // If the program that reads the log closes the pipe, continue to process requests.
  process.stdout.on('error', () => {})
  let server: RunningServer | undefined
  const stop = (signal: NodeJS.Signals) => {
    // No requests have arrived at this point, so the process can exit immediately.
    // Exit explicitly, because signals have no default action for a process with PID 1.
    if (!server) process.exit(128 + constants.signals[signal])
    const { drain, stop: finish } = server
    drain(signal === 'SIGTERM' ? drainTime : 0)
      .then(finish)
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  const options = resolveOptions({ argv: process.argv.slice(2), env: process.env })
  server = await startServer(options)
  const { url, controlUrl } = server
  const managementUrl = options.managementPort === 0 ? undefined : server.managementUrl
  // Log the effective options at every log level, because they are useful for investigating problems.
  if (options.logLevel !== 'silent') {
    const started = {
      time: new Date().toISOString(),
      level: 'info',
      message: 'listening',
      url,
      controlUrl,
      managementUrl,
    }
    process.stdout.write(`${JSON.stringify({ ...started, options: maskOptions(options) })}\n`)
  }
}

/**
 * The number of milliseconds to continue serving requests after SIGTERM. A service manager sends SIGTERM while clients
 * may still be sending requests. SIGINT comes from a terminal, where users expect the server to stop quickly.
 */
const drainTime = 1000

const print = (text: string): void => {
  process.stdout.write(text)
}

main().catch((error: unknown) => {
  process.stderr.write(`svc-admin-server: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
