import { html } from 'hono/html'
import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code, link } from '../content/inline.ts'
import { addresses, type SiteModel } from '../model/site-model.ts'
import { areaSlug, groupedMenu } from '../site/menu.ts'
import type { Ledger } from './ledger.ts'
import { requirementAddress, requirementsByArea } from './requirement-rows.ts'
import { verdictGrid } from './verdict-grid.ts'

const verdicts: readonly (readonly [verdict: string, meaning: string])[] = [
  ['PASS', 'The promise is kept.'],
  ['LENIENT', 'Legal, and not recommended.'],
  ['WARN', 'A decided rule is broken.'],
  ['FAIL', 'A stated rule is broken.'],
  ['UNTESTABLE', 'A prerequisite is missing; it is named and counted.'],
  ['NOT APPLICABLE', 'The requirement says nothing here.'],
  ['KIT ERROR', 'The kit itself went wrong.'],
]

/** The verdicts on the reference server, and a place to look at a report of one's own. */
export function conformancePages(model: SiteModel, ledger: Ledger | undefined): Page[] {
  return [overview(model, ledger), reportPage(model)]
}

export function conformanceMenu({ inputs }: SiteModel): string {
  const areas = [...new Set(inputs.requirements.map(({ area }) => area))]
  return groupedMenu([
    [
      'Conformance',
      [
        { label: 'The reference server', href: '/conformance/' },
        { label: 'A report of your own', href: '/conformance/report/' },
        { label: 'How to test a server', href: '/guides/contract-testing/' },
      ],
    ],
    ['Requirements', areas.map((area) => ({ label: area, href: `/requirements/${areaSlug(area)}/` }))],
  ])
}

function overview(model: SiteModel, ledger: Ledger | undefined): Page {
  return {
    path: '/conformance/',
    title: 'Conformance',
    description: 'How the reference server keeps each promise, and how to look at a report of your own.',
    section: 'conformance',
    crumbs: [],
    blocks: [
      prose(
        `The conformance kit judges any implementation by the ${link('requirements', '/requirements/')}. ${link('A report of your own', '/conformance/report/')} is shown the same way, without leaving your machine.`,
      ),
      ...(ledger
        ? verdictBlocks(model, ledger)
        : [
            prose(
              'This site was built without a report of the reference server: a run of the kit takes minutes. In a clone of the repository this judges the server, and builds these pages anew with its verdicts:',
            ),
            { kind: 'code', language: 'shell', text: 'npm run conformance -w packages/docs' } as const,
            prose('They stay until the next run, also under `npm start`.'),
          ]),
      heading(2, 'Verdicts', 'verdicts'),
      table(
        ['Verdict', 'Meaning', ...(ledger ? ['Cases'] : [])],
        verdicts.map(([verdict, meaning]) => [
          code(verdict),
          meaning,
          ...(ledger ? [(ledger.summary[verdict] ?? 0).toLocaleString('en')] : []),
        ]),
      ),
    ],
  }
}

function verdictBlocks({ inputs }: SiteModel, ledger: Ledger): Block[] {
  return [
    {
      kind: 'facts',
      items: [
        ['Target', code(ledger.target)],
        ['Kit', ledger.kit],
        ['Run at', ledger.startedAt],
      ],
    },
    heading(2, 'By area and version', 'grid'),
    prose(
      'The worst verdict of each cell, and how many cases were tried. The page of an area has each of its requirements, and their cases by operation.',
    ),
    verdictGrid(
      ledger,
      'Area',
      [...requirementsByArea(inputs.requirements)].map(([area, requirements]) => ({
        label: area,
        href: addresses.requirements(areaSlug(area)),
        inCode: false,
        requirements,
      })),
    ),
  ]
}

function reportPage({ inputs }: SiteModel): Page {
  const widget = html`<div class="drop" id="report-drop"><p><label for="report-file">Report of <code>contract run --json</code></label> <input type="file" id="report-file" accept="application/json,.json"></p><p>Choose the file or drop it here. It is read in this page and sent nowhere.</p></div><div id="report-view" data-from="/conformance/report/requirements.json"></div><noscript><p>Reading a report needs JavaScript. The kit writes the same as a page of its own: <code>--html</code>.</p></noscript>`
  const rows = inputs.requirements.map((row) => [
    row.id,
    { text: row.text, strength: row.strength, address: requirementAddress(row).slice(1) },
  ])
  return {
    path: '/conformance/report/',
    title: 'A report of your own',
    description: 'Shows a JSON report of the conformance kit, read locally.',
    section: 'conformance',
    crumbs: [['Conformance', '/conformance/']],
    scripts: ['report.js'],
    data: { 'requirements.json': JSON.stringify(Object.fromEntries(rows)) },
    blocks: [
      {
        kind: 'widget',
        html: String(widget),
        markdown: 'This page reads a report in the browser; it has no text of its own.',
      },
    ],
  }
}
