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

/**
 * Prism's proxy for the traffic to `url`. If there are problems with a response, the proxy reports them in a header.
 */
export interface Watcher {
  /** The service's address through Prism, without /api. */
  readonly url: string
  /** Prism's findings since the last call. */
  findings(): ReadonlySet<string>
  close(): Promise<void>
}

/** Prism's findings on requests are about the client, not the server. */
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

/** Starts Prism's proxy for a document in front of a server. */
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
    // The token endpoint is outside the paths that Prism serves for the document.
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
