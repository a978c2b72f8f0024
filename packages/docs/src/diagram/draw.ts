import type { StateMachineFact } from '@svc-admin/spec'
import { type Arrow, type DiagramLayout, endsOf, layOut } from './layout.ts'

const size = { row: 84, height: 40, lane: 46, margin: 20, character: 8.4, padding: 36 }

interface Frame {
  readonly left: number
  readonly width: number
  readonly middle: number
  /** Distance between lanes, so that their numbers don't touch. */
  readonly lane: number
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`)

/** Draws a lifecycle from top to bottom. Colors come from the page's style sheet, by class. */
export function drawStates(machine: StateMachineFact): string {
  const layout = layOut(machine)
  const longest = Math.max(...layout.states.map(({ length }) => length))
  const width = Math.round(longest * size.character + size.padding)
  const labels = layout.arrows.flatMap(({ lane, numbers }) => (lane > 0 ? [2 * halfOf(numbers) + 6] : []))
  const lane = Math.max(size.lane, ...labels)
  const left = size.margin + layout.lanes.left * lane + (layout.lanes.left > 0 ? 14 : 0)
  const frame: Frame = { left, width, middle: left + width / 2, lane }
  const total = left + width + layout.lanes.right * lane + size.margin + 14
  const height = layout.states.length * size.row + 8
  const title = `${machine.title}: ${layout.states.join(', ')}`
  return [
    `<svg class="states" viewBox="0 0 ${total} ${height}" width="${total}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>',
    `<circle class="start" cx="${frame.middle}" cy="10" r="6"/><path class="edge" d="M${frame.middle} 16V${top(0) - 2}" marker-end="url(#tip)"/>`,
    ...layout.arrows.map((arrow) => drawArrow(arrow, layout, frame)),
    ...layout.states.map((state, row) => drawState(state, row, kindOf(machine, state), frame)),
    '</svg>',
  ].join('')
}

const top = (row: number): number => row * size.row + 40

const kindOf = (machine: StateMachineFact, state: string): string =>
  endsOf(machine).includes(state) ? 'state final' : state === machine.initial ? 'state initial' : 'state'

function drawState(state: string, row: number, kind: string, { left, width, middle }: Frame): string {
  const y = top(row)
  const inner = kind.endsWith('final')
    ? `<rect class="${kind} inner" x="${left + 4}" y="${y + 4}" width="${width - 8}" height="${size.height - 8}" rx="6"/>`
    : ''
  return [
    `<rect class="${kind}" x="${left}" y="${y}" width="${width}" height="${size.height}" rx="9"/>${inner}`,
    `<text x="${middle}" y="${y + size.height / 2 + 5}" text-anchor="middle">${escaped(state)}</text>`,
  ].join('')
}

function drawArrow(arrow: Arrow, { arrows }: DiagramLayout, frame: Frame): string {
  if (arrow.lane === 0) {
    const [from, to] = [top(arrow.from) + size.height, top(arrow.to)]
    const label = frame.middle + 8 + halfOf(arrow.numbers)
    return edge(arrow.numbers, `M${frame.middle} ${from}V${to - 2}`, [label, (from + to) / 2 - 2])
  }
  const right = arrow.side === 'right'
  const start = right ? frame.left + frame.width : frame.left
  const lane = start + (right ? 1 : -1) * (arrow.lane * frame.lane - 4)
  const shift = offsetOf(arrow, arrows)
  const loop = arrow.from === arrow.to
  const from = top(arrow.from) + size.height / 2 + (loop ? -15 : shift + 6)
  const to = top(arrow.to) + size.height / 2 + (loop ? 15 : shift - 6)
  const bend = right ? -8 : 8
  const turn = to > from ? 8 : -8
  const path = `M${start} ${from}H${lane + bend}Q${lane} ${from} ${lane} ${from + turn}V${to - turn}Q${lane} ${to} ${lane + bend} ${to}H${start + (right ? 2 : -2)}`
  // Arrows from outer lanes cross the middle of a loop, but never its upper edge.
  return edge(arrow.numbers, path, [lane, loop ? from - 11 : between(arrow)])
}

/** The middle of an arrow, between two rows, away from the ends of other arrows. */
const between = ({ from, to }: Arrow): number =>
  top(Math.floor((from + to - 1) / 2)) + (size.height + size.row) / 2

/** Spreads the arrows on the same side of a state. */
function offsetOf(arrow: Arrow, arrows: readonly Arrow[]): number {
  const same = arrows.filter(
    (other) =>
      other.lane > 0 &&
      other.from !== other.to &&
      other.side === arrow.side &&
      (other.from === arrow.from || other.to === arrow.to),
  )
  const place = same.indexOf(arrow)
  return same.length < 2 ? 0 : (place - (same.length - 1) / 2) * 5
}

/** Half the width of an arrow's numbers. */
const halfOf = (numbers: readonly number[]): number => Math.max(10, numbers.join(', ').length * 3.4 + 5)

function edge(numbers: readonly number[], path: string, [x, y]: readonly [number, number]): string {
  const text = numbers.join(', ')
  const half = halfOf(numbers)
  return [
    `<path class="edge" d="${path}" marker-end="url(#tip)"/>`,
    `<rect class="number" x="${x - half}" y="${y - 10}" width="${2 * half}" height="20" rx="10"/><text class="number" x="${x}" y="${y + 4}" text-anchor="middle">${text}</text>`,
  ].join('')
}
