import { html } from 'hono/html'
import { type Html, inline } from '../content/html.ts'
import { addresses } from '../model/addresses.ts'
import { concernsCallers } from '../model/changes.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import { relativeAddress } from './relative.ts'

/**
 * Returns an Atom feed (RFC 4287) for the changelog. Each dated version has an entry with the changes since the
 * previous version. If the site's public address is unknown, the links in the feed are relative.
 */
export function feedText(model: SiteModel, origin: string | undefined): string {
  const { newest, versions } = model
  const dated = versions.filter(({ id }) => /^\d{4}-\d\d-\d\d$/.test(id)).toReversed()
  const title = newest.document.info.title.replace(` ${newest.id}`, '')
  const host = new URL(newest.document.servers?.[0]?.url ?? 'https://svc.example').hostname
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>tag:${host},${dated.at(-1)?.id ?? newest.id}:changelog</id>
<title>${title}: changelog</title>
<updated>${timeOf(newest)}</updated>
<author><name>${title}</name></author>
<link href="${addressFor('/changelog/', origin)}"/>
${dated.map((version) => entryOf(model, version, { origin, host }))}</feed>
`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${String(feed)}`
}

const timeOf = ({ id }: VersionModel): string => `${id}T00:00:00Z`

const addressFor = (path: string, origin: string | undefined): string =>
  origin === undefined ? relativeAddress(addresses.feed.replace(/[^/]*$/, ''), path) : origin + path

function entryOf(
  model: SiteModel,
  version: VersionModel,
  { origin, host }: { origin: string | undefined; host: string },
): Html {
  const { id, previous } = version
  const path = previous ? addresses.changelog(previous, id) : addresses.version(id)
  const content = String(changesOf(model, version))
  return html`<entry>
<id>tag:${host},${id}:version</id>
<title>Version ${id}</title>
<updated>${timeOf(version)}</updated>
<link href="${addressFor(path, origin)}"/>
<content type="html">${content}</content>
</entry>
`
}

function changesOf({ changelog }: SiteModel, { id, previous }: VersionModel): Html {
  const changes = changelog.find(({ before, after }) => before === previous && after === id)
  if (!previous || !changes) return html`<p>First dated version.</p>`
  const found = changes.changes.filter(concernsCallers)
  if (found.length === 0) return html`<p>No changes since ${previous}.</p>`
  const texts = new Map<string, Set<string>>()
  for (const { class: kind, text, operations } of found) {
    const line = `${kind === 'breaking' ? '**Breaking:** ' : ''}${text}`
    texts.set(line, new Set([...(texts.get(line) ?? []), ...operations]))
  }
  const item = ([text, operations]: [string, Set<string>]) =>
    html`<li>${inline(text)}${operations.size > 0 && ![...operations].every((each) => text.includes(each)) ? ` (${[...operations].join(', ')})` : ''}</li>`
  return html`<p>Changes since ${previous}:</p><ul>${[...texts].map(item)}</ul>`
}
