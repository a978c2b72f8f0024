#!/usr/bin/env node
import { maskOptions, resolveOptions } from './options.ts'
import { startServer } from './start-server.ts'

/** The command `svc-admin-server`: options from flags, environment and file; stops on SIGTERM and SIGINT. */
async function main(): Promise<void> {
  const options = resolveOptions({ argv: process.argv.slice(2), env: process.env })
  const server = await startServer(options)
  const { url, controlUrl } = server
  if (options.logLevel === 'debug' || options.logLevel === 'info') {
    const started = { time: new Date().toISOString(), level: 'info', message: 'listening', url, controlUrl }
    process.stdout.write(`${JSON.stringify({ ...started, options: maskOptions(options) })}\n`)
  }
  const stop = () => {
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
