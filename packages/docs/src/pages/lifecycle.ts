import type { StateMachineFact } from '@svc-admin/spec'
import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { strengthText } from '../content/strength.ts'
import { drawStates } from '../diagram/draw.ts'
import { endsOf } from '../diagram/layout.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import { durationText } from '../model/units.ts'
import { requirementsOf } from './covering.ts'
import { operationLink } from './operation.ts'

/** Creates a page for each lifecycle, and a list of these pages. */
export function lifecyclePages(model: SiteModel): Page[] {
  const machines = Object.entries(model.inputs.facts.states)
  return [lifecycleList(machines), ...machines.map(([id, machine]) => lifecyclePage(model, id, machine))]
}

function lifecycleList(machines: [string, StateMachineFact][]): Page {
  return {
    path: '/lifecycles/',
    title: 'Lifecycles',
    description: 'Resource states and their transitions.',
    section: 'implementers',
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
  const { title, transitions, schema, strength, source, open, initial } = machine
  const holders = model.versions.filter(({ document }) => schema in document.components.schemas)
  const newest = holders.at(-1)
  const ends = endsOf(machine)
  return {
    path: addresses.lifecycle(id),
    title,
    kicker: 'Lifecycle',
    description: `The states of ${schema}, and their transitions.`,
    section: 'implementers',
    crumbs: [['Lifecycles', '/lifecycles/']],
    blocks: [
      {
        kind: 'figure',
        svg: drawStates(machine),
        caption: 'Double borders mark final states. The table below explains each transition.',
      },
      {
        kind: 'facts',
        items: [
          stateFact(machine, newest),
          ['Initial state', code(initial)],
          ...(ends.length > 0 ? [['Final states', ends.map(code).join(', ')] as [string, string]] : []),
          ['Values', `${valuesText(model, id, machine)}${open ? '; others are possible' : ''}`],
          ['Source', strengthText(strength, source)],
        ],
      },
      heading(2, 'Transitions', 'transitions'),
      prose('The times apply to the reference server and can be changed in its sandbox.'),
      transitionTable(model, transitions),
      ...requirementsOf(model, `state:${id}`),
    ],
  }
}

/** Names the field that contains the state, or the fields that together determine the state. */
function stateFact(
  { schema, field, values }: StateMachineFact,
  newest: VersionModel | undefined,
): [string, string] {
  const { properties = {} } = newest?.document.components.schemas[schema] ?? {}
  const flags = values.filter((value) => value in properties)
  const place = (name: string) =>
    newest
      ? codeLink(`${schema}.${name}`, `${addresses.schema(newest.id, schema)}#field.${name}`)
      : code(`${schema}.${name}`)
  return flags.length > 0
    ? ['Follows from', [field, ...flags].map(place).join(', ')]
    : ['Field', place(field)]
}

/**
 * Lists the lifecycle's states. States from the specification source come first, followed by a link to our decision and
 * the states that we added.
 */
function valuesText(
  { decisions }: SiteModel,
  id: string,
  { values, shown, strength }: StateMachineFact,
): string {
  const stated = strength === 'stated' ? (shown ?? []) : values
  const chosen = values.filter((each) => !stated.includes(each))
  const listed = (all: readonly string[]) => all.map(code).join(', ')
  if (chosen.length === 0) return listed(values)
  const mark = decisions.mark('decided: Lifecycles', `machine:${id}`)
  return [
    ...(stated.length > 0 ? [`${listed(values.filter((each) => stated.includes(each)))};`] : []),
    mark,
    listed(chosen),
  ].join(' ')
}

function transitionTable(model: SiteModel, transitions: StateMachineFact['transitions']): Block {
  const rows = transitions.map(({ from, to, trigger, when, afterSeconds, strength, source }, index) => [
    String(index + 1),
    code(from),
    code(to),
    causeText(model, trigger, afterSeconds),
    when,
    strengthText(strength, source),
  ])
  return { ...table(['Transition', 'From', 'To', 'Cause', 'When', 'Source'], rows), numbered: true }
}

function causeText({ operationIds }: SiteModel, trigger: string, afterSeconds: number | undefined): string {
  const [kind, id] = trigger.split(':')
  const newest = operationIds.get(id ?? '')?.at(-1)
  if (kind === 'operation' && id) return newest ? operationLink(newest.id, id) : code(id)
  if (kind === 'time') return afterSeconds ? `time, after ${durationText(afterSeconds)}` : 'time'
  return kind ?? trigger
}
