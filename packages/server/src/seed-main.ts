#!/usr/bin/env node
import { buffer } from 'node:stream/consumers'
import { messageOf, runSeedCommand } from './seed-command.ts'

runSeedCommand({
  args: process.argv.slice(2),
  env: process.env,
  input: async () => (process.stdin.isTTY ? Buffer.of() : buffer(process.stdin)),
  print: (text) => void process.stdout.write(text),
}).catch((error: unknown) => {
  process.stderr.write(`svc-admin-seed: ${messageOf(error)}\n`)
  process.exitCode = 1
})
