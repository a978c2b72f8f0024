import { fileURLToPath } from 'node:url'
import { serveDocumentation } from './server.ts'

// When this file runs as `dist/mcp.js`, the site is in the same folder.
const site = fileURLToPath(new URL('site/', import.meta.url))

try {
  await serveDocumentation(site)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
