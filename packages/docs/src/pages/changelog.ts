import type { Change } from '@svc-admin/spec'
import { type Block, heading, type OperationItem, type Page, prose, table } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import { byOperation, comingOf, concernsCallers, placeText, shownClasses } from '../model/changes.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'

interface Pair {
  readonly from: VersionModel
  readonly to: VersionModel
  readonly changes: readonly Change[]
}

/** Creates a page for each pair of versions, and a page that lists all pairs. */
export function changelogPages({ versions, changelog }: SiteModel): Page[] {
  const pairs = changelog.flatMap(({ before, after, changes }): Pair[] => {
    const [from, to] = [before, after].map((id) => versions.find((each) => each.id === id))
    return from && to ? [{ from, to, changes }] : []
  })
  return [overview(versions, pairs), ...pairs.map(pairPage)]
}

/** Groups the changes in a class by their text. A change that affects many places is listed and counted only once. */
function bySentence(changes: readonly Change[], kind: Change['class']): Map<string, Change[]> {
  const found = new Map<string, Change[]>()
  for (const change of changes)
    if (change.class === kind && !comingOf(change))
      found.set(change.text, [...(found.get(change.text) ?? []), change])
  return found
}

/**
 * Counts the changes in a class. Each added or removed operation counts as one change, even though it is listed
 * separately.
 */
const count = (changes: readonly Change[], kind: Change['class']): number =>
  bySentence(changes, kind).size +
  changes.filter((change) => change.class === kind && comingOf(change)).length

const plural = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`

function overview(versions: readonly VersionModel[], pairs: readonly Pair[]): Page {
  const cell = (from: VersionModel, to: VersionModel): string => {
    const pair = pairs.find((each) => each.from === from && each.to === to)
    if (!pair) return ''
    const concerned = pair.changes.filter(concernsCallers)
    const text = concerned.length === 0 ? 'no change' : plural(byOperation(pair).size, 'operation')
    const breaking = count(pair.changes, 'breaking')
    return `${link(text, addresses.changelog(from.id, to.id))}${breaking > 0 ? `, **${breaking} breaking**` : ''}`
  }
  const head = ['From', ...versions.slice(1).map(({ id }) => `to ${id}`)]
  return {
    path: '/changelog/',
    title: 'Changelog',
    description: 'Changes between any two versions.',
    section: 'changelog',
    crumbs: [],
    blocks: [
      prose(
        'Choose your current version and your target version. If an operation did not change on a date, requests for that date use the operation’s previous version.',
      ),
      {
        kind: 'table',
        grid: true,
        head,
        rows: versions
          .slice(0, -1)
          .map((from) => ({ cells: [`**${from.id}**`, ...versions.slice(1).map((to) => cell(from, to))] })),
      },
      heading(2, 'Kinds of changes', 'classes'),
      table(
        ['Kind', 'Effect on a program written for the older version'],
        [
          ['breaking', 'It may stop working.'],
          [
            'review',
            'The program usually keeps working, but you should review its generated code and the values that it uses.',
          ],
          ['deprecating', 'The program keeps working, but should switch to the replacement.'],
          ['additive', 'The program keeps working, and can use new features.'],
          [
            'editorial',
            'None. Only wording or examples changed. The page counts these changes but doesn’t list them.',
          ],
        ],
      ),
      prose(
        `See ${link('how to migrate', addresses.guide('migration'))} and ${link('deprecated operations and versions', addresses.deprecations)}. To follow new versions, subscribe to the ${link('Atom feed', addresses.feed)}.`,
      ),
    ],
  }
}

function pairPage(pair: Pair): Page {
  const { from, to, changes } = pair
  const path = addresses.changelog(from.id, to.id)
  const breaking = plural(count(changes, 'breaking'), 'breaking change')
  const editorial = changes.filter((change) => !concernsCallers(change)).length
  return {
    path,
    title: `${from.id} to ${to.id}`,
    kicker: 'Changes',
    description: `${plural(byOperation(pair).size, 'operation')} differ between ${from.id} and ${to.id}; ${breaking}.`,
    section: 'changelog',
    crumbs: [['Changelog', '/changelog/']],
    data: { 'changes.json': `${JSON.stringify(asFile(pair))}\n` },
    blocks: [
      ...(from.fact.generation === to.fact.generation ? [] : [ofGenerations(pair)]),
      ...(changes.some(concernsCallers)
        ? [summary(pair)]
        : [prose(`There are no visible changes between ${from.id} and ${to.id}.`)]),
      ...comings(pair, 'added'),
      ...comings(pair, 'removed'),
      ...shownClasses.flatMap((kind) => classBlocks(pair, kind)),
      prose(
        `${plural(editorial, 'editorial change')} of wording and examples ${editorial === 1 ? 'is' : 'are'} not listed; ${link('all changes as JSON', `${path}changes.json`)}.`,
      ),
    ],
  }
}

/**
 * Describes the differences between generations that affect every request. The list of changes doesn't include these
 * differences because each listed change belongs to an operation.
 */
const ofGenerations = ({ from, to }: Pair): Block => ({
  kind: 'callout',
  tone: 'warn',
  title: 'Every request changes',
  markdown: `From ${from.fact.generation} to ${to.fact.generation}, paths have a different prefix, and media types contain a version. Set \`Accept\` to ${code(to.fact.mediaType)}. If the request has a body, set \`Content-Type\` to the same media type. See ${link('versioning', addresses.guide('versioning'))}. The other differences are listed below.`,
})

/**
 * Returns the changes for the downloadable file, without the IDs. An ID is redundant because it only combines the rule
 * and the location of a change.
 */
const asFile = ({ from, to, changes }: Pair) => ({
  before: from.id,
  after: to.id,
  changes: changes.map(({ id: _, ...change }) => change),
})

function summary(pair: Pair): Block {
  const found = [...byOperation(pair).values()]
  const operations = (kind: string) => String(found.filter((each) => each.kind === kind).length)
  return {
    kind: 'facts',
    look: 'stats',
    items: [
      ['New', operations('added')],
      ['Changed', operations('changed')],
      ['Removed', operations('removed')],
      ...shownClasses.map((kind): [string, string] => [
        `${kind[0]?.toUpperCase()}${kind.slice(1)}`,
        String(bySentence(pair.changes, kind).size),
      ]),
    ],
  }
}

const comingTitles = {
  added: ['New operations', 'new'],
  removed: ['Removed operations', 'removed'],
} as const

function comings({ from, to, changes }: Pair, kind: 'added' | 'removed'): Block[] {
  const version = kind === 'added' ? to : from
  const ids = changes.filter((change) => comingOf(change) === kind).flatMap(({ operations }) => operations)
  if (ids.length === 0) return []
  const [title, anchor] = comingTitles[kind]
  const items = [...new Set(ids)].flatMap((id): OperationItem[] => {
    const found = version.byId.get(id)
    if (!found) return []
    const href = addresses.operation(version.id, id)
    return [{ method: found.method, path: found.path, title: found.operation.summary, href, badges: [] }]
  })
  return [heading(2, title, anchor), { kind: 'operations', items }]
}

function classBlocks({ from, to, changes }: Pair, kind: Change['class']): Block[] {
  const found = bySentence(changes, kind)
  if (found.size === 0) return []
  return [
    heading(2, `${kind[0]?.toUpperCase()}${kind.slice(1)} changes`, kind),
    table(
      ['Change', 'Where', 'Operations'],
      [...found].map(([text, same]) => [
        text,
        few([...new Set(same.map((change) => placeText(change, to, from)))], 3, 'place'),
        few(
          [...new Set(same.flatMap(({ operations }) => operations))].map((id) => {
            const version = to.byId.has(id) ? to : from
            return codeLink(id, addresses.operation(version.id, id))
          }),
          4,
          'operation',
        ) || 'all',
      ]),
    ),
  ]
}

function few(items: readonly string[], most: number, word: string): string {
  if (items.length <= most) return items.join(', ')
  const rest = items.length - most + 1
  return `${items.slice(0, most - 1).join(', ')} and ${plural(rest, `other ${word}`)}`
}
