import { wrap } from '../lint/report.ts'
import { type Change, type ChangeClass, changeClasses } from './change.ts'

/** A comparison with the changes in each version. If only one version is compared, its name is empty. */
export interface Comparison {
  before: string
  after: string
  changes: ReadonlyMap<string, Change[]>
}

export type Format = 'text' | 'markdown' | 'json'

export function render(comparison: Comparison, format: Format): string {
  if (format === 'json') return `${JSON.stringify(asJson(comparison), null, 2)}\n`
  return format === 'markdown' ? asMarkdown(comparison) : asText(comparison)
}

export function countByClass(changes: Change[]): Record<ChangeClass, number> {
  const count = { breaking: 0, review: 0, deprecating: 0, additive: 0, editorial: 0 }
  for (const { class: kind } of changes) count[kind] += 1
  return count
}

function asJson({ before, after, changes }: Comparison) {
  const all = [...changes.values()].flat()
  return {
    before,
    after,
    summary: countByClass(all),
    changes: [...changes].flatMap(([version, found]) =>
      found.map((change) => (version === '' ? change : { version, ...change })),
    ),
  }
}

const titles: Record<ChangeClass, string> = {
  breaking: 'Breaking',
  review: 'Review',
  deprecating: 'Deprecating',
  additive: 'Additive',
  editorial: 'Editorial',
}

function asMarkdown({ before, after, changes }: Comparison): string {
  const lines = [`# Changes from ${before} to ${after}`]
  if (changes.size === 0) lines.push('', 'Nothing changed.')
  for (const [version, found] of changes) {
    if (version !== '') lines.push('', `## ${version}`)
    for (const kind of changeClasses) {
      const ofClass = found.filter((change) => change.class === kind)
      if (ofClass.length === 0) continue
      lines.push('', `${version === '' ? '##' : '###'} ${titles[kind]}`, '')
      lines.push(...ofClass.map(markdownLine))
    }
  }
  return `${lines.join('\n')}\n`
}

function markdownLine({ operations, text, rule, location }: Change): string {
  const who = operations.length > 0 ? `${operations.map((id) => `\`${id}\``).join(', ')}: ` : ''
  return `- ${who}${text.replaceAll(/[*_<]/g, '\\$&')} (${rule}, \`${location}\`)`
}

function asText({ before, after, changes }: Comparison): string {
  const lines = [`Changes from ${before} to ${after}`]
  for (const [version, found] of changes) {
    if (version !== '') lines.push('', version)
    for (const change of found) {
      lines.push('', `${change.class}: ${change.rule}`, ...wrap(change.text, '  '))
      if (change.operations.length > 0) lines.push(...wrap(change.operations.join(', '), '  of '))
      lines.push(...wrap(change.location, '  at '))
    }
  }
  const count = countByClass([...changes.values()].flat())
  const summary = changeClasses.map((kind) => `${count[kind]} ${kind}`).join(', ')
  return `${lines.join('\n')}\n\n${summary}\n`
}
