import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code, link, slugOf } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import { exampleRail } from './operation-examples.ts'
import { statusText } from './version.ts'

/**
 * The operation that the home page uses for the first request. This operation works with the demo organization and
 * returns meaningful data.
 */
const firstOperation = 'listAlerts'

/**
 * Creates the home page, which shows a first request with its response, three suggestions for further reading, and a
 * list of versions.
 */
export function homePage(model: SiteModel): Page {
  const { newest, versions } = model
  const first = newest.byId.get(firstOperation)
  return {
    path: '/',
    title: 'Cloud Database Administration API',
    description: String(newest.document.info.summary ?? 'Reference and guides for every version.'),
    section: 'home',
    crumbs: [],
    blocks: [
      prose(String(newest.document.info.summary ?? ''), 'lead'),
      { kind: 'cards', items: waysIn(model) },
      ...(first ? [exampleRail(model, newest, first)] : []),
      heading(2, 'Areas', 'areas'),
      areaCards(newest),
      heading(2, 'Versions', 'versions'),
      table(
        ['Version', 'Media type', 'Operations', 'New or changed', 'OpenAPI'],
        versions.toReversed().map((version) => versionRow(model, version)),
      ),
    ],
  }
}

const card = (title: string, href: string, text: string) => ({ title, href, text })

const waysIn = ({ newest, inputs }: SiteModel) => [
  card(
    'Send your first request',
    addresses.guide('getting-started'),
    'Start the sandbox, get credentials, and call the API with curl or the TypeScript client.',
  ),
  card(
    'Look up an operation',
    addresses.version(newest.id),
    `${newest.operations.length} operations of version ${newest.id}, with examples in five languages. Press \`/\` to search.`,
  ),
  card(
    'Build or test a server',
    addresses.implementers,
    `${inputs.requirements.length} requirements, and a kit that tests any implementation against them.`,
  ),
]

function versionRow(model: SiteModel, version: VersionModel): string[] {
  const { id, fact, operations, previous, changes } = version
  const status = statusText(model, version)
  return [
    `${link(id, addresses.version(id))}${status === 'Superseded' ? '' : ` ${status.toLowerCase()}`}`,
    code(fact.mediaType),
    String(operations.length),
    previous
      ? link(changes.size === 0 ? 'none' : String(changes.size), addresses.changelog(previous, id))
      : '',
    link('JSON', `/openapi/${id}.json`),
  ]
}

function areaCards({ id, areas, document }: VersionModel): Block {
  return {
    kind: 'cards',
    plain: true,
    items: [...areas].map(([name, operations]) => {
      const about = (document.tags ?? []).find((tag) => tag.name === name)?.description ?? ''
      const note = `${operations.length} operation${operations.length === 1 ? '' : 's'}`
      return { ...card(name, `${addresses.version(id)}#${slugOf(name)}`, about), note }
    }),
  }
}
