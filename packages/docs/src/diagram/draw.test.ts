import type { StateMachineFact } from '@svc-admin/spec'
import { expect, test } from 'vitest'
import { inputs } from '../testing/inputs.ts'
import { drawStates } from './draw.ts'
import { endsOf, layOut } from './layout.ts'

const machine = (values: string[], transitions: string[]): StateMachineFact => ({
  title: 'Thing <1>',
  schema: 'Thing',
  field: 'state',
  open: false,
  strength: 'decided',
  source: '',
  values,
  initial: values[0] ?? '',
  final: values.slice(-1),
  transitions: transitions.map((transition) => {
    const [from = '', to = ''] = transition.split('>')
    return { from, to, trigger: 'time', when: '', strength: 'decided', source: '' }
  }),
})

test('sorts states along the successful path', () => {
  const ordered = (...transitions: string[]) =>
    layOut(machine(['A', 'BAD', 'B', 'END'], transitions)).states.join(' ')
  expect(ordered('A>B', 'A>BAD', 'B>END', 'B>BAD')).toBe('A B END BAD')
  expect(ordered('A>B', 'B>A', 'B>BAD', 'BAD>A', 'B>END', 'BAD>END')).toBe('A B BAD END')
})

test('draws the successful path as the axis, and marks final states', () => {
  const { states } = inputs.facts
  const orders = Object.fromEntries(Object.entries(states).map(([id, fact]) => [id, layOut(fact).states]))
  expect(orders['live-migration']?.slice(0, 3)).toEqual(['NEW', 'WORKING', 'COMPLETE'])
  expect(orders['export-job']?.slice(0, 3)).toEqual(['Queued', 'InProgress', 'Successful'])
  expect(orders['search-index']?.slice(-2)).toEqual(['DELETING', 'gone'])
  for (const fact of Object.values(states)) {
    const svg = drawStates(fact)
    const ends = endsOf(fact)
    expect(svg.match(/class="state final inner"/g)?.length ?? 0, fact.title).toBe(ends.length)
    for (const { from, to } of fact.transitions) if (from !== to) expect(ends).not.toContain(from)
  }
  expect(endsOf(states.snapshot ?? machine([], []))).toEqual(['gone'])
})

/** Returns a path's straight segments. */
function boxesOf(path: string): Box[] {
  let [x, y] = [0, 0]
  return [...path.matchAll(/([MHVQ])(-?[\d.]+)(?: (-?[\d.]+))?(?: (-?[\d.]+) (-?[\d.]+))?/g)].flatMap(
    ([, kind, ...given]) => {
      const [a = 0, b = 0, c = 0, d = 0] = given.map(Number)
      const [left, top] = [x, y]
      if (kind === 'M') [x, y] = [a, b]
      if (kind === 'H') x = a
      if (kind === 'V') y = a
      if (kind === 'Q') [x, y] = [c, d]
      if (kind === 'M') return []
      return [[Math.min(left, x), Math.min(top, y), Math.max(left, x), Math.max(top, y)] as const]
    },
  )
}

type Box = readonly [left: number, top: number, right: number, bottom: number]

const meet = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]

test('places each label beside its own arrow, away from arrows, states and other labels', () => {
  const rects = (svg: string, kind: string) =>
    [
      ...svg.matchAll(
        new RegExp(
          `<rect class="${kind}" x="([\\d.-]+)" y="([\\d.-]+)" width="([\\d.]+)" height="([\\d.]+)"`,
          'g',
        ),
      ),
    ].map(([, ...given]): Box => {
      const [x = 0, y = 0, width = 0, height = 0] = given.map(Number)
      return [x, y, x + width, y + height]
    })
  for (const { title, ...fact } of Object.values(inputs.facts.states)) {
    const drawn = drawStates({ title, ...fact })
    const edges = [...drawn.matchAll(/<path class="edge" d="([^"]+)"/g)].map(([, d = '']) => boxesOf(d))
    const [labels, states] = [rects(drawn, 'label'), rects(drawn, 'state[^"]*')]
    expect(labels, title).toHaveLength(edges.length - 1)
    for (const label of labels) {
      const others = [...edges.flat(), ...states, ...labels.filter((other) => other !== label)]
      expect(
        others.filter((box) => meet(box, label)),
        title,
      ).toEqual([])
    }
  }
})

test('uses separate lanes for parallel arrows', () => {
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

test('uses a separate lane for loops', () => {
  const { arrows } = layOut(machine(['A', 'B', 'C'], ['A>B', 'B>C', 'B>B', 'C>B']))
  expect(arrows.flatMap(({ side, lane }) => (side === 'left' ? [lane] : []))).toEqual([1, 2])
})

test('draws all states and transitions of every lifecycle within the picture', () => {
  for (const fact of [...Object.values(inputs.facts.states), machine(['A', 'B'], ['A>A', 'A>B', 'B>A'])]) {
    const svg = drawStates(fact)
    const [, width = 0] = (/viewBox="0 0 (\d+)/.exec(svg) ?? []).map(Number)
    const across = [...svg.matchAll(/(?:cx|x)="(-?[\d.]+)"/g)].map(([, x]) => Number(x))
    expect(Math.max(...across)).toBeLessThanOrEqual(width)
    expect(Math.min(...across)).toBeGreaterThanOrEqual(0)
    const labels = [...svg.matchAll(/<text class="label"[^>]*>([^<]*)</g)].map(([, text = '']) => text)
    for (const { trigger } of fact.transitions) {
      const [kind, operation = ''] = trigger.split(':')
      const isShown = (text: string) =>
        operation
          ? text === operation || (text.startsWith('…') && operation.endsWith(text.slice(1)))
          : text !== ''
      expect(labels.some(isShown), `${fact.title}: ${kind} ${operation}`).toBe(true)
    }
    for (const value of fact.values) expect(svg).toContain(`>${value}</text>`)
  }
})

test('escapes the title', () => {
  expect(drawStates(machine(['A', 'B'], ['A>B']))).toContain('aria-label="Thing &#60;1&#62;: A, B"')
})
