#!/usr/bin/env node
import { constants } from 'node:os'
import { maskOptions, resolveOptions } from './options.ts'
import { optionsHelp } from './options-help.ts'
import { packageVersion } from './package-version.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** The command `svc-admin-server`: options from flags, environment and file; stops on SIGTERM and SIGINT. */
async function main(): Promise<void> {
  const asked = new Set(process.argv.slice(2))
  if (asked.has('--help') || asked.has('-h')) return say(optionsHelp(packageVersion()))
  if (asked.has('--version')) return say(`${packageVersion()}\n`)
  // Whoever read the log may go away: the server answers without one.
  process.stdout.on('error', () => {})
  let server: RunningServer | undefined
  const stop = (signal: NodeJS.Signals) => {
    // Nothing is in flight yet, and of process 1 the system does not make an end by itself.
    if (!server) process.exit(128 + constants.signals[signal])
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  const options = resolveOptions({ argv: process.argv.slice(2), env: process.env })
  server = await startServer(options)
  const { url, controlUrl } = server
  // Whatever else is written down: what a server was started with is asked for when it is too late to ask.
  if (options.logLevel !== 'silent') {
    const started = { time: new Date().toISOString(), level: 'info', message: 'listening', url, controlUrl }
    process.stdout.write(`${JSON.stringify({ ...started, options: maskOptions(options) })}\n`)
  }
}

const say = (text: string): void => {
  process.stdout.write(text)
}

main().catch((error: unknown) => {
  process.stderr.write(`svc-admin-server: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
