import { pointerOf } from '../rules/read/json.ts'
import type { LintFinding } from './finding.ts'

const width = 80

/** Formats all findings. If several documents have the same finding, it appears only once. */
export function report(findings: LintFinding[], seconds: number, documentCount: number): string {
  const groups = new Map<string, LintFinding[]>()
  for (const finding of findings) groups.set(keyOf(finding), [...(groups.get(keyOf(finding)) ?? []), finding])
  const texts = [...groups.values()].map(textOf)
  const time = `${seconds.toFixed(1)} s`
  const verdict =
    groups.size === 0
      ? `${documentCount} documents linted in ${time}: no findings.`
      : `${documentCount} documents linted in ${time}: ${groups.size} ${groups.size === 1 ? 'finding' : 'findings'}.`
  return [...texts, verdict].join('\n\n')
}

function keyOf({ rule, path, message }: LintFinding): string {
  return `${rule} ${pointerOf(path)} ${message}`
}

function textOf(same: LintFinding[]): string {
  const [finding] = same
  if (!finding) return ''
  const names = same.map(({ document }) => document).join(', ')
  const sources = [...new Set(same.flatMap(({ source }) => source ?? []))]
  return [
    `${finding.rule} (${finding.linter})`,
    ...sources.flatMap((source) => wrap(source, '  source    ')),
    ...wrap(names, '  in        '),
    ...wrap(pointerOf(finding.path), '  at        '),
    ...wrap(finding.message, '  found     '),
    ...(finding.expected ? wrap(finding.expected, '  expected  ') : []),
  ].join('\n')
}

/** Wraps a text at 80 columns. Pointers and other words that are longer than a line are split. */
export function wrap(text: string, label: string): string[] {
  const room = width - label.length
  const words = text.split(/\s+/).flatMap((word) => word.match(new RegExp(`.{1,${room}}`, 'gs')) ?? [])
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= room)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.map((line, index) => (index === 0 ? label : ' '.repeat(label.length)) + line)
}
