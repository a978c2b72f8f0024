import { html } from 'hono/html'
import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code, link } from '../content/inline.ts'
import { addresses, areaSlug } from '../model/addresses.ts'
import type { Ledger } from '../model/conformance-report.ts'
import type { SiteModel } from '../model/site-model.ts'
import { requirementsByArea } from './requirement-rows.ts'
import { verdictGrid } from './verdict-grid.ts'

const verdicts: readonly (readonly [verdict: string, meaning: string])[] = [
  ['PASS', 'The server meets the requirement.'],
  ['LENIENT', 'The behavior is allowed, but not recommended.'],
  ['WARN', 'The server violates a decided requirement (our decision).'],
  ['FAIL', 'The server violates a stated requirement (from the source).'],
  ['UNTESTABLE', 'A prerequisite of the check is missing. The report shows which one.'],
  ['NOT APPLICABLE', 'The requirement doesn’t apply in this case.'],
  ['KIT ERROR', 'The check failed because of an error in the kit. The result says nothing about the server.'],
]

/** Creates two pages: one with the reference server's test results, and one where readers can open their own report. */
export function conformancePages(model: SiteModel, ledger: Ledger | undefined): Page[] {
  return [overview(model, ledger), reportPage(model)]
}

function overview(model: SiteModel, ledger: Ledger | undefined): Page {
  return {
    path: '/conformance/',
    title: 'Conformance',
    description: 'Test results for the reference server, and a viewer for your own reports.',
    section: 'implementers',
    crumbs: [],
    blocks: [
      prose(
        `The conformance kit tests any implementation against the ${link('requirements', '/requirements/')}. You can also ${link('view your own report', '/conformance/report/')} without uploading it.`,
      ),
      ...(ledger
        ? verdictBlocks(model, ledger)
        : [
            prose(
              'This site was built without a report for the reference server. To test the server and rebuild these pages with the results, run this command in a clone of the repository. It takes a few minutes:',
            ),
            fullRun,
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

const fullRun: Block = { kind: 'code', language: 'shell', text: 'npm run conformance -w packages/docs' }

function verdictBlocks({ inputs }: SiteModel, ledger: Ledger): Block[] {
  return [
    {
      kind: 'facts',
      items: [
        ['Target', 'the reference server'],
        ['Kit', ledger.kit],
        ['Checks', ledger.isSmoke ? 'one check for each requirement (smoke test)' : 'all'],
        ['Run at', `${ledger.startedAt.slice(0, 16).replace('T', ' ')} UTC`],
      ],
    },
    ...(ledger.isSmoke
      ? [
          prose(
            'For the results of all checks, run this command in a clone of the repository. It takes a few minutes:',
          ),
          fullRun,
        ]
      : []),
    heading(2, 'By area and version', 'grid'),
    prose(
      'Each cell shows the worst verdict and the number of cases. Each area’s page lists its requirements and the number of cases by operation.',
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
  const widget = html`<div class="drop" id="report-drop"><p><label for="report-file">Report of <code>contract run --json</code></label> <input type="file" id="report-file" accept="application/json,.json"></p><p>Choose the file or drop it here. The file stays on your machine.</p></div><div id="report-view" data-from="/conformance/report/requirements.json"></div><noscript><p>This page requires JavaScript. The kit can also write an HTML report: <code>--html</code>.</p></noscript>`
  const pages = [...requirementsByArea(inputs.requirements)].map(([area, rows]) => [
    addresses.requirements(areaSlug(area)).slice(1),
    rows.map(({ id }) => id),
  ])
  return {
    path: '/conformance/report/',
    title: 'Your report',
    description: 'View a JSON report from the conformance kit in your browser.',
    section: 'implementers',
    crumbs: [['Conformance', '/conformance/']],
    scripts: ['report.js'],
    data: { 'requirements.json': JSON.stringify(Object.fromEntries(pages)) },
    blocks: [
      {
        kind: 'widget',
        html: String(widget),
        markdown: 'This page only displays a report in your browser. It has no content of its own.',
      },
    ],
  }
}
