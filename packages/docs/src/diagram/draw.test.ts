import type { StateMachineFact } from '@svc-admin/spec'
import { expect, test } from 'vitest'
import { inputs } from '../testing/inputs.ts'
import { drawStates } from './draw.ts'
import { layOut } from './layout.ts'

const machine = (values: string[], moves: string[]): StateMachineFact => ({
  title: 'Thing <1>',
  schema: 'Thing',
  field: 'state',
  open: false,
  strength: 'decided',
  source: '',
  values,
  initial: values[0] ?? '',
  final: values.slice(-1),
  transitions: moves.map((move) => {
    const [from = '', to = ''] = move.split('>')
    return { from, to, trigger: 'time', when: '', strength: 'decided', source: '' }
  }),
})

test('states stand in the order in which they are reached, final ones last', () => {
  expect(layOut(machine(['A', 'END', 'B', 'LAST'], ['A>LAST', 'A>B', 'B>END'])).states).toEqual([
    'A',
    'B',
    'END',
    'LAST',
  ])
})

test('arrows that run side by side have lanes of their own, and others share them', () => {
  const { arrows, lanes } = layOut(
    machine(['A', 'B', 'C', 'D'], ['A>B', 'B>C', 'C>D', 'A>C', 'A>D', 'C>B', 'B>A']),
  )
  expect(arrows.map(({ side, lane }) => `${side} ${lane}`)).toEqual([
    'right 0',
    'right 0',
    'right 0',
    'right 1',
    'right 2',
    'left 1',
    'left 1',
  ])
  expect(lanes).toEqual({ left: 1, right: 2 })
})

test('every lifecycle is drawn with all its states and moves, and nothing outside of the picture', () => {
  for (const fact of [...Object.values(inputs.facts.states), machine(['A', 'B'], ['A>A', 'A>B', 'B>A'])]) {
    const svg = drawStates(fact)
    const [, width = 0] = (/viewBox="0 0 (\d+)/.exec(svg) ?? []).map(Number)
    const across = [...svg.matchAll(/(?:cx|x)="(-?[\d.]+)"/g)].map(([, x]) => Number(x))
    expect(Math.max(...across)).toBeLessThanOrEqual(width)
    expect(Math.min(...across)).toBeGreaterThanOrEqual(0)
    const shown = [...svg.matchAll(/<text class="number"[^>]*>([^<]*)</g)].flatMap(([, text = '']) =>
      text.split(', '),
    )
    expect(shown.map(Number).sort((a, b) => a - b)).toEqual(fact.transitions.map((_, index) => index + 1))
    for (const value of fact.values) expect(svg).toContain(`>${value}</text>`)
  }
})

test('a title cannot break out of its attribute', () => {
  expect(drawStates(machine(['A', 'B'], ['A>B']))).toContain('aria-label="Thing &#60;1&#62;: A, B"')
})
