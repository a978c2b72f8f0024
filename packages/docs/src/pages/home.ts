import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code, link } from '../content/inline.ts'
import { addresses, type SiteModel, type VersionModel } from '../model/site-model.ts'

/** The first page: where to begin, and the versions. */
export function homePage(model: SiteModel): Page {
  const { newest, versions, inputs } = model
  return {
    path: '/',
    title: 'Cloud Database Administration API',
    description: String(newest.document.info.summary ?? 'Reference and guides, for every version.'),
    section: 'home',
    crumbs: [],
    blocks: [
      prose(lead(model)),
      ...install(model),
      { kind: 'cards', items: starts(model) },
      heading(2, 'Versions', 'versions'),
      table(
        ['Version', 'Media type', 'Operations', 'New or changed', 'OpenAPI'],
        versions.toReversed().map(versionRow),
      ),
      heading(2, 'Areas', 'areas'),
      areaCards(newest),
      heading(2, 'Rules of the whole API', 'rules'),
      {
        kind: 'cards',
        items: [
          card(
            'Error codes',
            '/errors/',
            `${Object.keys({ ...inputs.facts.errorCodes, ...inputs.facts.tokenErrors }).length} codes, and when each is answered.`,
          ),
          card('Limits', '/limits/', `${Object.keys(inputs.facts.limits).length} bounds with their sources.`),
          card('Roles', '/roles/', `${Object.keys(inputs.facts.roles).length} roles and what each allows.`),
          card('Lifecycles', '/lifecycles/', `${Object.keys(inputs.facts.states).length} state diagrams.`),
          card(
            'Requirements',
            '/requirements/',
            `${inputs.requirements.length} rows: what an implementation must do, and what is open.`,
          ),
          card('Decisions', '/decisions/', 'What was chosen where the source is silent.'),
        ],
      },
    ],
  }
}

const card = (title: string, href: string, text: string) => ({ title, href, text })

function lead({ newest }: SiteModel): string {
  const summary = String(newest.document.info.summary ?? '')
  return `${summary} Every operation, shape, error and rule has a page here, for each version. Press \`/\` to search.`
}

/** The first code of the guide to begin with. */
function install({ inputs }: SiteModel): Block[] {
  const guide = inputs.guides.find(({ slug }) => slug === firstGuide)
  const [, text] = /^```shell\n([\s\S]*?)\n```$/m.exec(guide?.text ?? '') ?? []
  return text ? [{ kind: 'code', language: 'shell', text, label: 'The TypeScript client' }] : []
}

function starts({ inputs, newest }: SiteModel) {
  const wanted = [firstGuide, 'authentication', 'versioning', 'errors', 'contract-testing']
  const [begin = [], ...others] = wanted.map((slug) => {
    const guide = inputs.guides.find((each) => each.slug === slug)
    const title = /^# (.*)$/m.exec(guide?.text ?? '')?.[1]
    return guide && title ? [card(title, addresses.guide(slug), startTexts[slug] ?? '')] : []
  })
  return [
    ...begin,
    card(
      `Reference ${newest.id}`,
      addresses.version(newest.id),
      `${newest.operations.length} operations of the newest version.`,
    ),
    ...others.flat(),
    card('Try it', '/try/', 'Send real requests to a server of your own from the browser.'),
  ]
}

const firstGuide = 'getting-started'

const startTexts: Readonly<Record<string, string>> = {
  'getting-started': 'What to install, and what has to be there.',
  authentication: 'The first call, with an API key or a service account.',
  versioning: 'How a request names the version that it wants.',
  errors: 'What can go wrong, and what to do about it.',
  'contract-testing': 'Whether a server of your own keeps the promises.',
}

function versionRow(version: VersionModel): string[] {
  const { id, fact, operations, previous, changes } = version
  return [
    `${link(id, addresses.version(id))}${fact.status === 'current' ? ' *current*' : ''}`,
    code(fact.mediaType),
    String(operations.length),
    previous
      ? link(changes.size === 0 ? 'none' : String(changes.size), addresses.changelog(previous, id))
      : '',
    `${link('JSON', `/openapi/${id}.json`)}, ${link('YAML', `/openapi/${id}.yaml`)}`,
  ]
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function areaCards({ id, areas, document }: VersionModel): Block {
  return {
    kind: 'cards',
    items: [...areas].map(([name, operations]) => {
      const about = (document.tags ?? []).find((tag) => tag.name === name)?.description ?? ''
      const anchor = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
      return card(
        name,
        `${addresses.version(id)}#${anchor}`,
        `${about} ${counted(operations.length, 'operation')}.`.trim(),
      )
    }),
  }
}
