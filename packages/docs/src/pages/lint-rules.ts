import type { LintRule } from '@svc-admin/spec'
import { type Block, heading, type Page, prose } from '../content/block.ts'
import { code, link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel } from '../model/site-model.ts'

const scopes: readonly (readonly [scope: LintRule['scope'], title: string, text: string])[] = [
  ['any', 'Rules for any document', 'These rules find defects in any OpenAPI 3.1 document.'],
  ['style', 'Conventions', 'Other APIs can adopt these conventions.'],
  [
    'ours',
    'Rules for our documents',
    'These rules depend on our extensions and versions, so they are turned off in other documents.',
  ],
]

/** Creates a page that describes all lint rules. Each rule's name is also its anchor. */
export function lintRulesPage({ inputs }: SiteModel): Page {
  return {
    path: addresses.lintRules,
    title: 'Lint rules',
    description: 'The lint rules for OpenAPI documents, with reasons and examples.',
    section: 'implementers',
    crumbs: [['Implementers', addresses.implementers]],
    blocks: [
      prose(
        `The package ${code('@svc-admin/spec')} contains these rules as a ${link('Spectral', 'https://docs.stoplight.io/docs/spectral')} ruleset. To lint your own document, extend ${code('@svc-admin/spec/spectral')} in your ${code('.spectral.yaml')}.`,
        'lead',
      ),
      ...scopes.flatMap(([scope, title, text]): Block[] => [
        heading(2, title, scope),
        prose(text),
        ...inputs.lintRules.filter((rule) => rule.scope === scope).flatMap(ruleBlocks),
      ]),
    ],
  }
}

function ruleBlocks({ id, message, why, good, bad, findings }: LintRule): Block[] {
  return [
    heading(3, code(id), id),
    prose(`${message.charAt(0).toUpperCase()}${message.slice(1)} ${why}`),
    { kind: 'code', language: 'yaml', label: 'Good', text: good.trim(), isFailure: true },
    { kind: 'code', language: 'yaml', label: 'Bad', text: bad.trim(), isFailure: true },
    prose(`Found at ${findings.map((pointer) => code(pointer)).join(', ')}.`, 'quiet'),
  ]
}
