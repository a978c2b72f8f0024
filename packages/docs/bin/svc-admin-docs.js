#!/usr/bin/env node
import { existsSync } from 'node:fs'

const usage = `npx @svc-admin/docs mcp
Start a Model Context Protocol server on standard input and output. Language models
can use its tools to search the built documentation and to read pages.`

const [command] = process.argv.slice(2)
const server = new URL('../dist/mcp.js', import.meta.url)
if (command === 'mcp') {
  if (existsSync(server)) await import(server.href)
  else {
    console.error('The documentation is not built. Run npm run build first.')
    process.exitCode = 1
  }
} else if (command === '--help') console.log(usage)
else {
  console.error(`Unknown command ${command ?? '(none)'}. Use mcp, or pass --help for more information.`)
  process.exitCode = 2
}
