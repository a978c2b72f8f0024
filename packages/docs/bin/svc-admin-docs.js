#!/usr/bin/env node
import { existsSync } from 'node:fs'

const usage = `npx @svc-admin/docs mcp
Serve the built documentation to language models with the Model Context Protocol
on standard input and output: a tool that searches, and one that reads pages.`

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
  console.error(`Unknown command ${command ?? '(none)'}. Use mcp, or --help for an explanation.`)
  process.exitCode = 2
}
