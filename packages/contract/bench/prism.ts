import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Version } from '@svc-admin/types'
import { type Started, startProcess } from '../../server/bench/processes.ts'
import { openProxy, type ProxiedRequest } from '../mutants/proxy.ts'
import { isArray, listAt, parseJson, stringAt } from '../src/document/json.ts'
import { headerValue } from '../src/http/exchange.ts'
import { createTransport } from '../src/http/transport.ts'
import { documentFor } from './documents.ts'
import { lasting, prefixOf, type Toolbox } from './peers.ts'

/** A running Prism proxy. If a response violates the document, Prism describes the problem in a response header. */
export interface Watcher {
  /** The service's address behind the Prism proxy, without the `/api` path. */
  readonly url: string
  /** Returns the findings that Prism has reported since the previous call. */
  findings(): ReadonlySet<string>
  close(): Promise<void>
}

/** Removes Prism's findings about requests, because they concern the client, not the server. */
const aboutResponses = (header: string): string[] => {
  const violations = parseJson(header)
  if (!isArray(violations)) return []
  return violations.flatMap((violation) => {
    const where = listAt(violation, 'location')
    if (where[0] !== 'response') return []
    return [`${where.join('/')} ${stringAt(violation, 'code')} ${stringAt(violation, 'message')}`]
  })
}

const templateOf = ({ method, path }: ProxiedRequest): string =>
  `${method} ${(path.split('?')[0] ?? '').replaceAll(/[0-9a-f]{24}/g, 'id')}`

/** Starts a Prism proxy for a document in front of a server. */
export const watch = async (
  { node, modules }: Toolbox,
  version: Version,
  upstream: string,
): Promise<Watcher> => {
  const folder = mkdtempSync(join(tmpdir(), 'contract-bench-'))
  const document = join(folder, 'document.json')
  writeFileSync(document, JSON.stringify(documentFor(version, {})))
  const prefix = prefixOf(version)
  const prism: Started = await startProcess(
    node,
    (port) => [
      join(modules, '@stoplight/prism-cli/dist/index.js'),
      ...['proxy', document, upstream + prefix, '--port', String(port)],
      ...['--multiprocess', 'false', '--verboseLevel', 'error'],
    ],
    '/',
  )
  const before = await openProxy(prism.url)
  const straight = createTransport({ baseUrl: upstream })
  const found = new Set<string>()
  before.interfere(async (request, forward) => {
    // Requests to the token endpoint bypass Prism, because Prism doesn't serve that path.
    if (!request.path.startsWith(`${prefix}/`)) {
      const { response } = await straight.send(request)
      return response
    }
    const answer = await forward({ ...request, path: request.path.slice(prefix.length) })
    for (const one of aboutResponses(headerValue(answer.headers, 'sl-violations') ?? ''))
      found.add(lasting(`${templateOf(request)} ${one}`))
    return answer
  })
  return {
    url: before.url,
    findings() {
      const seen = new Set(found)
      found.clear()
      return seen
    },
    async close() {
      straight.close()
      await Promise.all([before.close(), prism.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
