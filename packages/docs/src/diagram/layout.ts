import type { StateMachineFact } from '@svc-admin/spec'

/**
 * All transitions from one state to another. The diagram shows them as a single arrow. `from` and `to` are row numbers.
 */
export interface Arrow {
  /** The transitions' numbers in the table below the diagram. */
  readonly numbers: readonly number[]
  readonly from: number
  readonly to: number
  /** The lane of the arrow, counted outward from the states. 0 means a straight arrow down to the next row. */
  readonly lane: number
  readonly side: 'left' | 'right'
}

export interface DiagramLayout {
  readonly states: readonly string[]
  readonly arrows: readonly Arrow[]
  readonly lanes: { readonly left: number; readonly right: number }
}

/** Sorts the states so that the successful path runs downward, and assigns a lane to each transition. */
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
  // A loop takes up as much height as its state.
  const reach = from === to ? 0.5 : 0
  const span: Span = [Math.min(from, to) - reach, Math.max(from, to) + reach]
  const free = lanes.findIndex((lane) => lane.every(([top, bottom]) => span[0] >= bottom || span[1] <= top))
  if (free >= 0) {
    lanes[free]?.push(span)
    return free + 1
  }
  lanes.push([span])
  return lanes.length
}

/**
 * Sorts the states along the successful path. Each state precedes its successors, and the first transition of a state
 * determines which successor comes first. Arrows point upward only for transitions back to an earlier state.
 */
function inOrder({ initial, values, transitions }: StateMachineFact): string[] {
  const after = onward(initial, transitions)
  const order: string[] = []
  const visit = (state: string): void => {
    if (order.includes(state)) return
    for (const next of after.get(state)?.toReversed() ?? []) visit(next)
    order.unshift(state)
  }
  visit(initial)
  const others = [...values, ...transitions.flatMap(({ from, to }) => [from, to])]
  return [...new Set([...order, ...others])]
}

/**
 * Returns each state's successors, without transitions back to an earlier state. Visits the states depth-first and
 * follows transitions in their listed order.
 */
function onward(initial: string, transitions: StateMachineFact['transitions']): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const walk = (state: string, way: readonly string[]): void => {
    const here = [...way, state]
    const next = transitions.flatMap(({ from, to }) => (from === state && !here.includes(to) ? [to] : []))
    found.set(state, next)
    for (const each of next) if (!found.has(each)) walk(each, here)
  }
  walk(initial, [])
  return found
}

/**
 * Returns the final states. The result includes the state of a deleted resource, which isn't one of the field's values.
 */
export function endsOf({ values, transitions }: StateMachineFact): string[] {
  const all = [...new Set([...values, ...transitions.map(({ to }) => to)])]
  return all.filter((state) => !transitions.some(({ from, to }) => from === state && to !== state))
}
