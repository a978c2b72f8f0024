import type { StateMachineFact } from '@svc-admin/spec'

/** The transitions from one state to another, drawn as one: from and to are rows. */
export interface Arrow {
  /** As the table beside the diagram numbers them. */
  readonly numbers: readonly number[]
  readonly from: number
  readonly to: number
  /** 0: straight down to the next row; otherwise which lane beside the column, counted outwards. */
  readonly lane: number
  readonly side: 'left' | 'right'
}

export interface DiagramLayout {
  readonly states: readonly string[]
  readonly arrows: readonly Arrow[]
  readonly lanes: { readonly left: number; readonly right: number }
}

/** Orders the states as they are reached, and gives each transition a lane that no other one crosses in its span. */
export function layOut(machine: StateMachineFact): DiagramLayout {
  const states = inOrder(machine)
  const row = new Map(states.map((state, index) => [state, index]))
  const rowOf = (state: string) => row.get(state) ?? 0
  const taken = { left: [] as Span[][], right: [] as Span[][] }
  const straight = new Set<number>()
  const merged = new Map<string, { numbers: number[]; from: number; to: number }>()
  for (const [index, { from, to }] of machine.transitions.entries()) {
    const key = `${from}\0${to}`
    const arrow = merged.get(key) ?? { numbers: [], from: rowOf(from), to: rowOf(to) }
    arrow.numbers.push(index + 1)
    merged.set(key, arrow)
  }
  const arrows = [...merged.values()]
  const bySpan = [...arrows].sort((a, b) => Math.abs(a.to - a.from) - Math.abs(b.to - b.from))
  const placed = bySpan.map((arrow): Arrow => {
    if (arrow.to === arrow.from + 1 && !straight.has(arrow.from)) {
      straight.add(arrow.from)
      return { ...arrow, lane: 0, side: 'right' }
    }
    const side = arrow.to > arrow.from ? 'right' : 'left'
    return { ...arrow, side, lane: laneFor(taken[side], arrow) }
  })
  return {
    states,
    arrows: placed.sort((a, b) => (a.numbers[0] ?? 0) - (b.numbers[0] ?? 0)),
    lanes: { left: taken.left.length, right: taken.right.length },
  }
}

type Span = readonly [top: number, bottom: number]

function laneFor(lanes: Span[][], { from, to }: { from: number; to: number }): number {
  const span: Span = [Math.min(from, to), Math.max(from, to)]
  const free = lanes.findIndex((lane) => lane.every(([top, bottom]) => span[0] >= bottom || span[1] <= top))
  if (free >= 0) {
    lanes[free]?.push(span)
    return free + 1
  }
  lanes.push([span])
  return lanes.length
}

/** Breadth first from the initial state; states that nothing leads to come last, final ones after the others. */
function inOrder({ initial, values, transitions, final }: StateMachineFact): string[] {
  const depth = new Map([[initial, 0]])
  const queue = [initial]
  for (const state of queue)
    for (const { from, to } of transitions)
      if (from === state && !depth.has(to)) {
        depth.set(to, (depth.get(state) ?? 0) + 1)
        queue.push(to)
      }
  const all = [...new Set([...queue, ...values, ...transitions.flatMap(({ from, to }) => [from, to])])]
  const rank = (state: string) => (depth.get(state) ?? 99) + (final.includes(state) ? 100 : 0)
  return all.sort((a, b) => rank(a) - rank(b))
}
