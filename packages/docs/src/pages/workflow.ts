import type { Workflow, WorkflowDocument, WorkflowStep } from '@svc-admin/spec'
import { type Block, heading, list, type Page, prose, table } from '../content/block.ts'
import { code, link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel } from '../model/site-model.ts'
import { durationText } from '../model/units.ts'
import { operationLink } from './operation.ts'
import { jsonText } from './operation-parts.ts'

/** Creates a page for each Arazzo workflow, and a list of these pages. */
export function workflowPages(model: SiteModel): Page[] {
  const documents = Object.entries(model.inputs.workflows)
  return [overview(documents), ...documents.map(([name, document]) => workflowPage(model, name, document))]
}

function overview(documents: [string, WorkflowDocument][]): Page {
  return {
    path: '/workflows/',
    title: 'Workflows',
    description: 'Arazzo documents with request sequences that cover complete lifecycles.',
    section: 'guides',
    crumbs: [['Guides', '/guides/']],
    blocks: [
      prose(
        'Each workflow is an [Arazzo](https://spec.openapis.org/arazzo/latest.html) document that tools can run against a server.',
      ),
      {
        kind: 'cards',
        items: documents.map(([name, { info }]) => ({
          title: info.title,
          href: addresses.workflow(name),
          text: info.summary ?? '',
        })),
      },
    ],
  }
}

function workflowPage(model: SiteModel, name: string, { info, workflows }: WorkflowDocument): Page {
  return {
    path: addresses.workflow(name),
    title: info.title,
    kicker: 'Workflow',
    description: info.summary ?? info.title,
    section: 'guides',
    crumbs: [
      ['Guides', '/guides/'],
      ['Workflows', '/workflows/'],
    ],
    blocks: [
      prose(info.description ?? info.summary ?? ''),
      prose(
        `Download: ${link('Arazzo as YAML', `/arazzo/${name}.yaml`)} or ${link('JSON', `/arazzo/${name}.json`)}.`,
      ),
      ...workflows.flatMap((workflow) => workflowBlocks(model, workflow, workflows.length > 1)),
    ],
  }
}

function workflowBlocks(model: SiteModel, workflow: Workflow, several: boolean): Block[] {
  const { workflowId, summary, description, inputs, steps, outputs } = workflow
  const anchor = (part: string) => (several ? `${workflowId}-${part}` : part)
  return [
    ...(several ? [heading(2, summary ?? workflowId, workflowId)] : []),
    ...(description ? [prose(description)] : []),
    heading(several ? 3 : 2, 'Inputs', anchor('inputs')),
    table(
      ['Input', 'Description', 'Default'],
      Object.entries(inputs?.properties ?? {}).map(([name, schema]) => [
        `${code(name)}${inputs?.required?.includes(name) ? '' : ' *optional*'}`,
        schema.description ?? '',
        schema.default === undefined ? '' : code(String(schema.default)),
      ]),
    ),
    heading(several ? 3 : 2, 'Steps', anchor('steps')),
    ...steps.flatMap((step, index) => stepBlocks(model, step, index + 1, anchor(`step-${step.stepId}`))),
    ...(outputs
      ? [
          heading(several ? 3 : 2, 'Outputs', anchor('outputs')),
          list(Object.entries(outputs).map(([name, from]) => `${code(name)}: ${expression(from)}`)),
        ]
      : []),
  ]
}

function stepBlocks({ operationIds }: SiteModel, step: WorkflowStep, number: number, id: string): Block[] {
  const { stepId, description, operationId, parameters = [], requestBody, outputs } = step
  const version = operationIds.get(operationId ?? '')?.at(-1)
  const rows: [string, string][] = [
    ...(operationId
      ? [
          ['Operation', version ? operationLink(version.id, operationId) : code(operationId)] as [
            string,
            string,
          ],
        ]
      : []),
    ...(parameters.length > 0
      ? [
          [
            'Parameters',
            parameters.map(({ name, value }) => `${code(name)} = ${expression(value)}`).join(', '),
          ] as [string, string],
        ]
      : []),
    ...(step.successCriteria
      ? [
          ['Continue when', step.successCriteria.map(({ condition }) => code(condition)).join(' and ')] as [
            string,
            string,
          ],
        ]
      : []),
    ...(step.onFailure ?? []).map(({ type, retryAfter, retryLimit }): [string, string] => [
      'Otherwise',
      type === 'retry'
        ? `retry after ${durationText(retryAfter ?? 0)}, at most ${retryLimit ?? 1} times`
        : code(type),
    ]),
    ...(outputs
      ? [
          [
            'Outputs',
            Object.entries(outputs)
              .map(([name, from]) => `${code(name)} from ${expression(from)}`)
              .join(', '),
          ] as [string, string],
        ]
      : []),
  ]
  return [
    heading(3, `${number}. ${description?.split(/\.(?=\s|$)/)[0] ?? stepId}`, id),
    { kind: 'facts', items: rows },
    ...(requestBody?.payload === undefined
      ? []
      : [
          {
            kind: 'code',
            language: 'json',
            text: jsonText(requestBody.payload),
            label: `Body, ${code(requestBody.contentType ?? 'application/json')}`,
          } as const,
        ]),
  ]
}

const expression = (value: unknown): string => code(typeof value === 'string' ? value : JSON.stringify(value))
