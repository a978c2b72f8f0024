import type { StateMachineFact } from '@svc-admin/spec'
import { durationText } from '../model/units.ts'
import { type Arrow, type DiagramLayout, endsOf, layOut } from './layout.ts'

const size = {
  height: 40,
  /** The vertical distance between states if every label fits on one line. */
  gap: 44,
  margin: 16,
  /** The average width of a character in states and in labels. */
  character: 8.4,
  labelCharacter: 6.4,
  labelLine: 15,
  padding: 36,
  /** The distance between an arrow and its label. */
  space: 7,
}

/** The positions of columns and rows. */
interface Frame {
  readonly left: number
  readonly width: number
  readonly middle: number
  readonly gap: number
  /** The x positions of the lanes on each side of the states, starting with lane 1. */
  readonly lanes: Readonly<Record<Arrow['side'], readonly number[]>>
}

/** An arrow and the lines of its label. */
interface Labeled extends Arrow {
  readonly lines: readonly string[]
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`)

/**
 * Draws a lifecycle as an SVG diagram that runs from top to bottom. The colors are defined in the site's style sheet.
 */
export function drawStates(machine: StateMachineFact): string {
  const layout = layOut(machine)
  const arrows = layout.arrows.map((arrow): Labeled => ({ ...arrow, lines: labelOf(machine, arrow) }))
  const longest = Math.max(...layout.states.map(({ length }) => length))
  const width = Math.round(longest * size.character + size.padding)
  const most = Math.max(...arrows.map(({ lines }) => lines.length))
  const gap = Math.max(size.gap, most * size.labelLine + 14)
  const laneWidths = (side: Arrow['side']) =>
    Array.from({ length: layout.lanes[side] }, (_, index) =>
      widthOf(arrows.filter((arrow) => arrow.side === side && arrow.lane === index + 1)),
    )
  const leftWidths = laneWidths('left')
  const left = size.margin + leftWidths.reduce((sum, each) => sum + each, 0)
  const middle = left + width / 2
  // The labels of straight arrows can be wider than the states.
  const straight = widthOf(arrows.filter(({ lane }) => lane === 0))
  const inner = Math.max(left + width + 22, middle + straight)
  const rightWidths = laneWidths('right')
  const frame: Frame = {
    left,
    width,
    middle,
    gap,
    lanes: {
      left: leftWidths.map((_, lane) => left - 22 - sumTo(leftWidths, lane)),
      right: rightWidths.map((_, lane) => inner + sumTo(rightWidths, lane)),
    },
  }
  const total = Math.max(left + width, middle + straight, inner + sumTo(rightWidths, rightWidths.length)) + 8
  const height = topOf(layout.states.length, frame) - gap + 8
  const title = `${machine.title}: ${layout.states.join(', ')}`
  return [
    `<svg class="states" viewBox="0 0 ${total} ${height}" width="${total}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>',
    `<circle class="start" cx="${middle}" cy="10" r="6"/><path class="edge" d="M${middle} 16V${topOf(0, frame) - 2}" marker-end="url(#tip)"/>`,
    ...arrows.map((arrow) => drawArrow(arrow, layout, frame)),
    ...layout.states.map((state, row) => drawState(state, row, kindOf(machine, state), frame)),
    '</svg>',
  ].join('')
}

/** Returns a transition's causes, one per line. A cause is an operation, the passage of time, or an event. */
function labelOf({ transitions }: StateMachineFact, { numbers }: Arrow): string[] {
  const causes = numbers.map((number) => {
    const { trigger = '', afterSeconds } = transitions[number - 1] ?? {}
    const [kind = '', operation] = trigger.split(':')
    if (operation) return operation
    return kind === 'time' && afterSeconds ? `after ${durationText(afterSeconds)}` : kind
  })
  // Operations such as `updateSearchIndex` and `updateSearchIndexByName` have the same effect.
  // The label therefore abbreviates the second name.
  return [...new Set(causes)].map((cause, at, all) => {
    const start = all.slice(0, at).find((other) => cause.startsWith(other))
    return start === undefined ? cause : `…${cause.slice(start.length)}`
  })
}

const widthOfLines = (lines: readonly string[]): number =>
  Math.round(Math.max(0, ...lines.map(({ length }) => length)) * size.labelCharacter)

/** Returns the width of a lane for these arrows: the width of the longest label plus space on both sides. */
const widthOf = (arrows: readonly Labeled[]): number =>
  Math.max(0, ...arrows.map(({ lines }) => widthOfLines(lines) + 3 * size.space))

const sumTo = (widths: readonly number[], end: number): number =>
  widths.slice(0, end).reduce((sum, each) => sum + each, 0)

const topOf = (row: number, { gap }: Pick<Frame, 'gap'>): number => row * (size.height + gap) + 40

const kindOf = (machine: StateMachineFact, state: string): string =>
  endsOf(machine).includes(state) ? 'state final' : state === machine.initial ? 'state initial' : 'state'

function drawState(state: string, row: number, kind: string, frame: Frame): string {
  const { left, width, middle } = frame
  const y = topOf(row, frame)
  const inner = kind.endsWith('final')
    ? `<rect class="${kind} inner" x="${left + 4}" y="${y + 4}" width="${width - 8}" height="${size.height - 8}" rx="6"/>`
    : ''
  return [
    `<rect class="${kind}" x="${left}" y="${y}" width="${width}" height="${size.height}" rx="9"/>${inner}`,
    `<text x="${middle}" y="${y + size.height / 2 + 5}" text-anchor="middle">${escaped(state)}</text>`,
  ].join('')
}

function drawArrow(arrow: Labeled, { arrows }: DiagramLayout, frame: Frame): string {
  const { lines, side } = arrow
  if (arrow.lane === 0) {
    const [from, to] = [topOf(arrow.from, frame) + size.height, topOf(arrow.to, frame)]
    return edge(
      `M${frame.middle} ${from}V${to - 2}`,
      lines,
      [frame.middle + size.space, (from + to) / 2 - 2],
      'right',
    )
  }
  const right = side === 'right'
  const start = right ? frame.left + frame.width : frame.left
  const lane = frame.lanes[side][arrow.lane - 1] ?? start
  const shift = offsetOf(arrow, arrows)
  const loop = arrow.from === arrow.to
  const middleOf = (row: number) => topOf(row, frame) + size.height / 2
  const from = middleOf(arrow.from) + (loop ? -15 : shift + 6)
  const to = middleOf(arrow.to) + (loop ? 15 : shift - 6)
  const bend = right ? -8 : 8
  const turn = to > from ? 8 : -8
  const path = `M${start} ${from}H${lane + bend}Q${lane} ${from} ${lane} ${from + turn}V${to - turn}Q${lane} ${to} ${lane + bend} ${to}H${start + (right ? 2 : -2)}`
  // The label of a loop is above the loop.
  // Arrows from outer lanes cross the middle of the loop, but not the space above it.
  const y = loop ? topOf(arrow.from, frame) - (lines.length * size.labelLine) / 2 - 1 : between(arrow, frame)
  return edge(path, lines, [lane + (right ? size.space : -size.space), y], side)
}

/**
 * Returns the vertical position of an arrow's label. The label is between two rows, where it doesn't cover the ends of
 * other arrows.
 */
const between = ({ from, to }: Arrow, frame: Frame): number =>
  topOf(Math.floor((from + to - 1) / 2), frame) + size.height + frame.gap / 2

/** Returns how far to move an arrow up or down. Arrows on the same side of a state are spread out. */
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

/** Draws an arrow and its label. The label starts or ends at `x` and is centered vertically at `y`. */
function edge(
  path: string,
  lines: readonly string[],
  [x, y]: readonly [number, number],
  side: Arrow['side'],
): string {
  const width = widthOfLines(lines)
  const height = lines.length * size.labelLine
  const anchor = side === 'right' ? '' : ' text-anchor="end"'
  const first = y - height / 2 + 11
  return [
    `<path class="edge" d="${path}" marker-end="url(#tip)"/>`,
    `<rect class="label" x="${side === 'right' ? x : x - width}" y="${y - height / 2}" width="${width}" height="${height}"/>`,
    ...lines.map(
      (line, at) =>
        `<text class="label" x="${x}" y="${first + at * size.labelLine}"${anchor}>${escaped(line)}</text>`,
    ),
  ].join('')
}
