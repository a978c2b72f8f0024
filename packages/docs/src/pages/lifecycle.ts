import type { StateMachineFact } from '@svc-admin/spec'
import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { strengthText } from '../content/strength.ts'
import { drawStates } from '../diagram/draw.ts'
import { endsOf } from '../diagram/layout.ts'
import { durationText } from '../model/quantities.ts'
import { addresses, type SiteModel } from '../model/site-model.ts'
import { requirementsOf } from './covering.ts'
import { operationLink } from './operation.ts'

/** Pages of every lifecycle, and the list of them. */
export function lifecyclePages(model: SiteModel): Page[] {
  const machines = Object.entries(model.inputs.facts.states)
  return [lifecycleList(machines), ...machines.map(([id, machine]) => lifecyclePage(model, id, machine))]
}

function lifecycleList(machines: [string, StateMachineFact][]): Page {
  return {
    path: '/lifecycles/',
    title: 'Lifecycles',
    description: 'The states of resources, and what moves them.',
    section: 'facts',
    crumbs: [],
    blocks: [
      table(
        ['Resource', 'States'],
        machines.map(([id, { title, values }]) => [
          link(title, addresses.lifecycle(id)),
          values.map(code).join(', '),
        ]),
      ),
    ],
  }
}

function lifecyclePage(model: SiteModel, id: string, machine: StateMachineFact): Page {
  const { title, transitions, schema, field, strength, source, open, initial } = machine
  const holders = model.versions.filter(({ document }) => schema in document.components.schemas)
  const newest = holders.at(-1)
  const ends = endsOf(machine)
  return {
    path: addresses.lifecycle(id),
    title,
    kicker: 'Lifecycle',
    description: `The states of ${code(field)} of the schema ${schema}, and what moves them.`.replaceAll(
      '`',
      '',
    ),
    section: 'facts',
    crumbs: [['Lifecycles', '/lifecycles/']],
    blocks: [
      { kind: 'figure', svg: drawStates(machine), caption: 'The numbers are those of the moves below.' },
      {
        kind: 'facts',
        items: [
          [
            'Field',
            newest
              ? codeLink(`${schema}.${field}`, `${addresses.schema(newest.id, schema)}#field.${field}`)
              : code(`${schema}.${field}`),
          ],
          ['Begins as', code(initial)],
          ...(ends.length > 0 ? [['Ends as', ends.map(code).join(', ')] as [string, string]] : []),
          ['Values', `${valuesText(model, id, machine)}${open ? '; there may be others' : ''}`],
          ['Strength', strengthText(strength, source)],
        ],
      },
      heading(2, 'Moves', 'moves'),
      prose('The times are those of the reference server’s clock, and can be set there.'),
      moves(model, transitions),
      ...requirementsOf(model, `state:${id}`),
    ],
  }
}

/** The values that the source shows, then a mark and those that were decided. */
function valuesText(
  { decisions }: SiteModel,
  id: string,
  { values, shown, strength }: StateMachineFact,
): string {
  const known = strength === 'stated' ? (shown ?? []) : values
  const chosen = values.filter((each) => !known.includes(each))
  const listed = (all: readonly string[]) => all.map(code).join(', ')
  if (chosen.length === 0) return listed(values)
  const mark = decisions.mark('decided: Lifecycles', `machine:${id}`)
  return [
    ...(known.length > 0 ? [`${listed(values.filter((each) => known.includes(each)))};`] : []),
    mark,
    listed(chosen),
  ].join(' ')
}

function moves(model: SiteModel, transitions: StateMachineFact['transitions']): Block {
  const rows = transitions.map(({ from, to, trigger, when, afterSeconds, strength, source }, index) => [
    String(index + 1),
    code(from),
    code(to),
    causeText(model, trigger, afterSeconds),
    when,
    strengthText(strength, source),
  ])
  return { ...table(['Move', 'From', 'To', 'Cause', 'When', 'Strength'], rows), numbered: true }
}

function causeText({ operationIds }: SiteModel, trigger: string, afterSeconds: number | undefined): string {
  const [kind, id] = trigger.split(':')
  const newest = operationIds.get(id ?? '')?.at(-1)
  if (kind === 'operation' && id) return newest ? operationLink(newest.id, id) : code(id)
  if (kind === 'time') return afterSeconds ? `time, after ${durationText(afterSeconds)}` : 'time'
  return kind ?? trigger
}
