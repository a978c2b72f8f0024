import type { Page } from '../content/block.ts'
import { prose } from '../content/block.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel } from '../model/site-model.ts'

/** Creates the start page for readers who build or test a server. */
export function implementersPage({ inputs }: SiteModel): Page {
  const { requirements, ledger, facts, lintRules } = inputs
  const decided = ledger.filter(({ key }) => key.startsWith('decided: ')).length
  return {
    path: addresses.implementers,
    title: 'Implementers',
    description: 'Requirements, decisions, lifecycles and tests for your own server.',
    section: 'implementers',
    crumbs: [],
    blocks: [
      prose(
        'Build a server that existing clients can use, and test it with the conformance kit. Start with [contract testing](/guides/contract-testing/).',
        'lead',
      ),
      {
        kind: 'cards',
        items: [
          {
            title: 'Requirements',
            href: '/requirements/',
            text: `${requirements.length} requirements by area, with their sources.`,
          },
          {
            title: 'Decisions',
            href: '/decisions/',
            text: `${decided} decisions on details that the specification source leaves open.`,
          },
          {
            title: 'Lifecycles',
            href: '/lifecycles/',
            text: `States and transitions of ${Object.keys(facts.states).length} resources.`,
          },
          {
            title: 'Conformance',
            href: '/conformance/',
            text: 'Test results for the reference server, by area and version.',
          },
          {
            title: 'Your report',
            href: '/conformance/report/',
            text: 'View a JSON report from the conformance kit in your browser.',
          },
          {
            title: 'Sandbox control',
            href: addresses.control,
            text: 'Manage a sandbox’s worlds, clock, faults, events and request log.',
          },
          {
            title: 'Lint rules',
            href: addresses.lintRules,
            text: `${lintRules.length} rules for OpenAPI documents, with examples.`,
          },
        ],
      },
    ],
  }
}
