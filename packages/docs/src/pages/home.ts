import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code, link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'

/** The home page: first steps and versions. */
export function homePage(model: SiteModel): Page {
  const { newest, versions, inputs } = model
  return {
    path: '/',
    title: 'Cloud Database Administration API',
    description: String(newest.document.info.summary ?? 'Reference and guides for every version.'),
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
      heading(2, 'Across the API', 'rules'),
      {
        kind: 'cards',
        items: [
          card(
            'Error codes',
            '/errors/',
            `${Object.keys({ ...inputs.facts.errorCodes, ...inputs.facts.tokenErrors }).length} codes and when each is returned.`,
          ),
          card('Limits', '/limits/', `${Object.keys(inputs.facts.limits).length} limits with their sources.`),
          card('Roles', '/roles/', `${Object.keys(inputs.facts.roles).length} roles and what each allows.`),
          card('Lifecycles', '/lifecycles/', `${Object.keys(inputs.facts.states).length} state diagrams.`),
          card(
            'Requirements',
            '/requirements/',
            `${inputs.requirements.length} requirements for implementations.`,
          ),
          card(
            'Decisions',
            '/decisions/',
            'Our decisions on details that the specification source leaves open.',
          ),
        ],
      },
    ],
  }
}

const card = (title: string, href: string, text: string) => ({ title, href, text })

function lead({ newest }: SiteModel): string {
  const summary = String(newest.document.info.summary ?? '')
  return `${summary} Find operations, schemas, errors and guides for each version. Press \`/\` to search.`
}

/** The first code block of the first guide. */
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
    card('Try it', '/try/', 'Send real requests to your own server from the browser.'),
  ]
}

const firstGuide = 'getting-started'

const startTexts: Readonly<Record<string, string>> = {
  'getting-started': 'Install the client and send your first request.',
  authentication: 'Use an API key or a service account.',
  versioning: 'Choose the API version of your requests.',
  errors: 'What each error means and what to do.',
  'contract-testing': 'Check whether your own server conforms.',
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
