import { breaks, compareOperations, type OperationChanges } from '../changes/compare.ts'
import { type Block, heading, list, type Page, prose, table } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { addresses, type SiteModel, type VersionModel } from '../model/site-model.ts'

interface Pair {
  readonly from: VersionModel
  readonly to: VersionModel
  readonly changes: readonly OperationChanges[]
}

/** A page for each pair of versions, from the older to the newer one, and the list of them. */
export function changelogPages({ versions }: SiteModel): Page[] {
  const pairs = versions.flatMap((from, index) =>
    versions
      .slice(index + 1)
      .map((to): Pair => ({ from, to, changes: compareOperations(from.surfaces, to.surfaces) })),
  )
  return [overview(versions, pairs), ...pairs.map(pairPage)]
}

function overview(versions: readonly VersionModel[], pairs: readonly Pair[]): Page {
  const cell = (from: VersionModel, to: VersionModel): string => {
    const pair = pairs.find((each) => each.from === from && each.to === to)
    if (!pair) return ''
    const { changes } = pair
    const text =
      changes.length === 0 ? 'no change' : `${changes.length} operation${changes.length === 1 ? '' : 's'}`
    return `${link(text, addresses.changelog(from.id, to.id))}${changes.some(breaks) ? ' *breaking*' : ''}`
  }
  const head = ['From', ...versions.slice(1).map(({ id }) => `to ${id}`)]
  return {
    path: '/changelog/',
    title: 'Changelog',
    description: 'What changed between any two versions.',
    section: 'changelog',
    crumbs: [],
    blocks: [
      prose(
        'Choose where you are and where you want to be. A date that nothing changed at for an operation serves the version before it.',
      ),
      table(
        head,
        versions
          .slice(0, -1)
          .map((from) => [`**${from.id}**`, ...versions.slice(1).map((to) => cell(from, to))]),
      ),
      prose(
        `The ${link('guide to migration', addresses.guide('migration'))} shows the steps. Wording and examples are not counted as changes.`,
      ),
    ],
  }
}

function pairPage({ from, to, changes }: Pair): Page {
  const breaking = changes.filter(breaks)
  const of = (kind: OperationChanges['kind']) => changes.filter((each) => each.kind === kind)
  return {
    path: addresses.changelog(from.id, to.id),
    title: `From ${from.id} to ${to.id}`,
    description: `${changes.length} operations differ between ${from.id} and ${to.id}, ${breaking.length} of them in a way that can break a caller.`,
    section: 'changelog',
    crumbs: [['Changelog', '/changelog/']],
    blocks: [
      prose(
        changes.length === 0
          ? `Nothing that callers can see differs between ${from.id} and ${to.id}.`
          : `${of('added').length} operations are new, ${of('changed').length} changed, ${of('removed').length} are gone; ${breaking.length} of these can break a caller.`,
      ),
      ...operationTable('New operations', 'new', to, of('added')),
      ...changedBlocks(to, of('changed')),
      ...operationTable('Operations that are gone', 'gone', from, of('removed')),
    ],
  }
}

function operationTable(
  title: string,
  id: string,
  version: VersionModel,
  found: readonly OperationChanges[],
): Block[] {
  if (found.length === 0) return []
  const rows = found.map(({ operationId }) => {
    const operation = version.byId.get(operationId)
    return [
      codeLink(operationId, addresses.operation(version.id, operationId)),
      operation?.operation.summary ?? '',
      operation ? code(`${operation.method.toUpperCase()} ${operation.path}`) : '',
    ]
  })
  return [heading(2, title, id), table(['Operation', 'What it does', 'Method and path'], rows)]
}

function changedBlocks(to: VersionModel, found: readonly OperationChanges[]): Block[] {
  if (found.length === 0) return []
  return [
    heading(2, 'Changed operations', 'changed'),
    ...found.flatMap(({ operationId, changes }): Block[] => [
      heading(3, operationId, `changed-${operationId}`),
      prose(
        link(
          to.byId.get(operationId)?.operation.summary ?? operationId,
          addresses.operation(to.id, operationId),
        ),
      ),
      list(
        changes.map(
          ({ where, text, severity }) =>
            `${code(where)} ${text}${severity === 'breaking' ? ' **(breaking)**' : ''}`,
        ),
      ),
    ]),
  ]
}
