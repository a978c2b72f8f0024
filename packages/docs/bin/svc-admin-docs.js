#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { register } from 'tsx/esm/api'

const usage = `npx @svc-admin/docs mcp
Serve the built documentation to language models with the Model Context Protocol
on standard input and output: a tool that searches, and one that reads pages.`

const [command] = process.argv.slice(2)
if (command === 'mcp') {
  register()
  const { serveDocumentation } = await import('../src/mcp/server.ts')
  try {
    await serveDocumentation(fileURLToPath(new URL('../dist/site/', import.meta.url)))
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
} else if (command === '--help') console.log(usage)
else {
  console.error(`Unknown command ${command ?? '(none)'}. Use mcp, or --help for an explanation.`)
  process.exitCode = 2
}
