import { fileURLToPath } from 'node:url'
import { serveDocumentation } from './server.ts'

// The bundle is `dist/mcp.js`, next to the site.
const site = fileURLToPath(new URL('site/', import.meta.url))

try {
  await serveDocumentation(site)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
