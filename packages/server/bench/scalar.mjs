/**
 * Runs `@scalar/mock-server`, which is only available as a library. The arguments are the document, the port, and the
 * folder with the packages.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [document, port, folder] = process.argv.slice(2)
const load = (name) => import(pathToFileURL(createRequire(`${folder}/`).resolve(name)).href)
const { createMockServer } = await load('@scalar/mock-server')
const { serve } = await load('@hono/node-server')
const app = await createMockServer({ document: JSON.parse(readFileSync(document, 'utf8')) })
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' })
