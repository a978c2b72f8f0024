import { type Block, heading, type Page, prose } from '../content/block.ts'
import { code, link, slugOf } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import { resolveHeader } from '../model/resolve.ts'
import type { SiteModel } from '../model/site-model.ts'

interface Found {
  readonly description: string
  readonly example?: string
  readonly statuses: Set<string>
}

/** Creates the page that describes the request and response headers in the newest version. */
export function headersPage({ newest }: SiteModel): Page {
  const found = new Map<string, Found>()
  for (const { success, failures } of newest.operations)
    for (const { status, response } of [...success, ...failures])
      for (const [name, header] of Object.entries(response.headers ?? {})) {
        const { description = '', example } = resolveHeader(newest.document, header)
        const known = found.get(name) ?? {
          description,
          statuses: new Set<string>(),
          ...(example !== undefined && { example: String(example) }),
        }
        known.statuses.add(status)
        found.set(name, known)
      }
  const names = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    path: addresses.headers,
    title: 'Headers',
    description: 'Request and response headers.',
    section: 'limits',
    crumbs: [['Limits', '/limits/']],
    blocks: [
      heading(2, 'Requests', 'requests'),
      heading(3, code('Accept'), 'accept'),
      prose(
        `The media type of the response, which specifies the ${link('version', addresses.guide('versioning'))}.`,
      ),
      heading(3, code('Authorization'), 'authorization'),
      prose(`Your ${link('credentials', addresses.guide('authentication'))}.`),
      heading(3, code('Content-Type'), 'content-type'),
      prose(
        `The media type of the body, if the request has one. It specifies the same version as ${code('Accept')}.`,
      ),
      heading(2, 'Responses', 'responses'),
      ...names.flatMap(([name, { description, example, statuses }]): Block[] => [
        heading(3, code(name), slugOf(name)),
        prose(description),
        {
          kind: 'facts',
          look: 'inline',
          items: [
            ['Statuses', [...statuses].sort().join(', ')],
            ...(example === undefined ? [] : [['Example', code(example)] as [string, string]]),
          ],
        },
      ]),
    ],
  }
}
