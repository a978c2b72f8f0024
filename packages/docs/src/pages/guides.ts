import type { Block, Page } from '../content/block.ts'
import { heading, prose } from '../content/block.ts'
import { firstSentence } from '../content/first-sentence.ts'
import { code, slugOf, wordsOf } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import { type BodyModel, examplesOf, type OperationModel } from '../model/operation-model.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'

/** The pages for the guides, and any names in the guides that the specification doesn't contain. */
export interface GuidePages {
  readonly pages: readonly Page[]
  /** Unknown names in the guides, in the format `guide: op:someName`. */
  readonly unknown: readonly string[]
}

/**
 * Creates the pages for the hand-written guides.
 *
 * - Links with the prefix `op:`, `schema:`, `error:`, `role:`, `limit:`, `lifecycle:`, `guide:` or `workflow:` lead to
 *   the page for the name after the prefix.
 * - `{{limits.itemsPerPage.maximum}}` inserts a fact. Multiple values are joined with commas, as in `M0, M2`.
 * - `{{newest.requests.acknowledgeAlert}}` and `{{newest.responses.getAlert}}` insert the operation's example
 *   bodies. `{{newest.responseTypes.getAlert}}` inserts the response's media type.
 * - `{{errorTables.409}}` inserts a table of the error codes for a status.
 */
export function guidePages(model: SiteModel): GuidePages {
  const unknown: string[] = []
  const pages = model.inputs.guides.map(({ slug, text }): Page => {
    const linked = withLinks(model, withFacts(model, text, slug), (name) => unknown.push(`${slug}: ${name}`))
    const [, title = slug, body = ''] = /^# (.*)\n([\s\S]*)$/.exec(linked) ?? []
    return {
      path: addresses.guide(slug),
      title,
      description: firstSentence(wordsOf(body.split('\n\n')[0]?.trim() ? body : body.trim())),
      section: 'guides',
      crumbs: [['Guides', '/guides/']],
      blocks: guideBlocks(body),
    }
  })
  return { pages: [overview(pages), ...pages], unknown }
}

/** The order of the guides in the menu, grouped by subject. Guides that aren't in this list come last. */
const groups: readonly (readonly [title: string, slugs: readonly string[]])[] = [
  ['Start', ['getting-started', 'authentication', 'versioning']],
  ['Requests and responses', ['paging', 'errors', 'retries', 'rate-limits', 'waiting', 'envelopes']],
  ['Tasks', ['alerts', 'webhooks', 'backups', 'migration']],
  ['Your own server', ['contract-testing', 'postgresql']],
]

export function groupedGuides(pages: readonly Page[]): [title: string, pages: Page[]][] {
  const paths = groups.map(([title, slugs]) => [title, slugs.map(addresses.guide)] as const)
  const isListed = ({ path }: Page) => paths.some(([, each]) => each.includes(path))
  const others = pages.filter((page) => page.crumbs.length > 0 && !isListed(page))
  return [
    ...paths.map(([title, each]): [string, Page[]] => [
      title,
      each.flatMap((path) => pages.filter((page) => page.path === path)),
    ]),
    ['More', others] satisfies [string, Page[]],
  ].filter(([, each]) => each.length > 0)
}

function overview(pages: readonly Page[]): Page {
  const cards = (items: readonly { title: string; href: string; text: string }[]): Block => ({
    kind: 'cards',
    plain: true,
    items,
  })
  return {
    path: '/guides/',
    title: 'Guides',
    description: 'How to use the API, from your first request to your own server.',
    section: 'guides',
    crumbs: [],
    blocks: [
      prose('How to use the API, from your first request to your own server.', 'lead'),
      ...groupedGuides(pages).flatMap(([title, own]) => [
        heading(2, title, slugOf(title)),
        cards(own.map((page) => ({ title: page.title, href: page.path, text: page.description }))),
      ]),
      heading(2, 'Workflows', 'workflows'),
      cards([
        {
          title: 'All workflows',
          href: '/workflows/',
          text: 'Request sequences for complete lifecycles, also available as Arazzo documents.',
        },
      ]),
    ],
  }
}

/**
 * Splits a guide into blocks. Headings and code get their own blocks because the site adds anchors and highlighting to
 * them.
 */
function guideBlocks(body: string): Block[] {
  const blocks: Block[] = []
  const parts = body.split(/^(#{2,3} .*|```\w*\n[\s\S]*?\n```)$/m)
  for (const part of parts) {
    const title = /^(#{2,3}) (.*)$/.exec(part)
    const fence = /^```(\w*)\n([\s\S]*?)\n```$/.exec(part)
    if (title?.[2]) blocks.push(heading(title[1] === '##' ? 2 : 3, title[2], slugOf(title[2])))
    else if (fence) blocks.push({ kind: 'code', language: fence[1] || 'text', text: fence[2] ?? '' })
    else if (part.trim()) blocks.push(prose(part.trim()))
  }
  return blocks
}

/** For each operation, returns the first example of its request or response body. */
const bodiesOf = (
  { operations }: VersionModel,
  bodyOf: (operation: OperationModel) => BodyModel | undefined,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    operations.flatMap((operation) =>
      examplesOf(bodyOf(operation))
        .slice(0, 1)
        .map(({ value }) => [operation.id, JSON.stringify(value, null, 2)]),
    ),
  )

/**
 * For each status, returns a table of the error codes. The table explains when each error occurs and what to do about
 * it.
 */
const errorTables = ({ facts }: SiteModel['inputs']): Readonly<Record<string, string>> => {
  const rows = Object.entries(facts.errorCodes)
  const table = (wanted: number) =>
    [
      '| Code | When, and what to do |',
      '| --- | --- |',
      ...rows.flatMap(([name, { status, when }]) =>
        status === wanted ? [`| [](error:${name}) | ${when.trim()} |`] : [],
      ),
    ].join('\n')
  return Object.fromEntries(rows.map(([, { status }]) => [status, table(status)]))
}

function withFacts({ inputs, newest }: SiteModel, text: string, guide: string): string {
  const roots: Record<string, unknown> = {
    ...inputs.facts,
    errorTables: errorTables(inputs),
    newest: {
      id: newest.id,
      mediaType: newest.fact.mediaType,
      requests: bodiesOf(newest, ({ request }) => request),
      responses: bodiesOf(newest, ({ success }) => success[0]?.body),
      responseTypes: Object.fromEntries(
        newest.operations.map(({ id, success }) => [id, success[0]?.body?.mediaType]),
      ),
    },
  }
  return text.replace(/\{\{([\w.-]+)\}\}/g, (_, path: string) => {
    let value: unknown = roots
    for (const name of path.split('.'))
      value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
    const values = [value].flat()
    if (!values.every((each) => typeof each === 'string' || typeof each === 'number'))
      throw new Error(`The guide ${guide} refers to an unknown fact: ${path}`)
    return values.join(', ')
  })
}

const linkPattern =
  /\[([^\]]*)\]\((op|schema|error|role|limit|lifecycle|guide|workflow):([\w-]+)(#[\w-]+)?\)/g

function withLinks(model: SiteModel, text: string, report: (name: string) => void): string {
  return text.replace(linkPattern, (_, label: string, kind: string, name: string, anchor = '') => {
    const address = addressOf(model, kind, name)
    if (!address) report(`${kind}:${name}`)
    const shown = label || (kind === 'guide' ? name : code(name))
    return address ? `[${shown}](${address}${anchor})` : shown
  })
}

function addressOf(
  { inputs, newest, operationIds, versions }: SiteModel,
  kind: string,
  name: string,
): string | undefined {
  const { facts, guides } = inputs
  if (kind === 'op') {
    const version = operationIds.get(name)?.at(-1)
    return version && addresses.operation(version.id, name)
  }
  if (kind === 'schema') {
    const version = [newest, ...versions].find(({ document }) => name in document.components.schemas)
    return version && addresses.schema(version.id, name)
  }
  if (kind === 'error')
    return name in facts.errorCodes || name in facts.tokenErrors ? addresses.error(name) : undefined
  if (kind === 'role') return name in facts.roles ? addresses.role(name) : undefined
  if (kind === 'limit') return name in facts.limits ? addresses.limit(name) : undefined
  if (kind === 'lifecycle') return name in facts.states ? addresses.lifecycle(name) : undefined
  if (kind === 'workflow') return name in inputs.workflows ? addresses.workflow(name) : undefined
  return guides.some(({ slug }) => slug === name) ? addresses.guide(name) : undefined
}
