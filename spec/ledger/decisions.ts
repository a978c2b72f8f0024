import type { IndexEntry } from './model.ts'

const decisionKey = /^decided: ([^/]+)\/(.+)$/

const introduction = `# Decisions

The specification source leaves many details open. This page lists our decisions about these details.

Requirements and facts cite a decision by its heading, for example \`decided: Errors\`. The documents, the reference
server and the conformance kit all follow these decisions. Decisions marked *unspecified* are not part of the contract.
Other implementations may differ, so callers must not rely on these decisions.

This page is generated from \`spec/ledger/index/decided-*.yaml\`. To update it, run \`npm run ledger -w spec -- --record\`.
`

/** Creates a Markdown page with all decisions. The page has a section for each heading, in alphabetical order. */
export function decisionsPage(index: IndexEntry[]): string {
  const sections = new Map<string, IndexEntry[]>()
  for (const entry of index) {
    const [, title] = decisionKey.exec(entry.key) ?? []
    if (title) sections.set(title, [...(sections.get(title) ?? []), entry])
  }
  const titles = [...sections.keys()].sort()
  return [introduction, ...titles.map((title) => section(title, sections.get(title) ?? []))].join('\n')
}

function section(title: string, entries: IndexEntry[]): string {
  const blocks = title === 'Operations' ? operationBlocks(entries) : blocksOf(entries)
  return [`## ${title}`, ...blocks, ''].join('\n\n').replace(/\n+$/, '\n')
}

/**
 * Formats the decisions in a section as tables. Decisions about required fields are short, so they share a single
 * table.
 */
function blocksOf(entries: IndexEntry[]): string[] {
  const others = entries.filter((entry) => !requiredFieldsOf(entry))
  const rows = entries.flatMap((entry) => {
    const fields = requiredFieldsOf(entry)
    return fields ? [[code(subjectOf(entry)), fields.map(code).join(', ')]] : []
  })
  return [
    ...(others.length > 0 ? [table(['Decision', 'Reason'], others.map(decisionCells))] : []),
    ...(rows.length > 0 ? [table(['Schema', 'Fields that responses always contain'], rows)] : []),
  ]
}

function requiredFieldsOf({ key, holds }: IndexEntry): string[] | undefined {
  const fields = holds?.requires
  return /^decided: Responses\/\w+$/.test(key) && Array.isArray(fields) ? fields.map(String) : undefined
}

const subjectOf = ({ key }: IndexEntry): string => key.split('/')[1] ?? ''

function decisionCells({ says, because, strength, holds = {} }: IndexEntry): string[] {
  const mark = strength === 'open' ? ' *(unspecified)*' : ''
  const fields = [holds.properties, holds['includes properties']].flat().map(String)
  return [`${prose(says, fields)}${mark}`, because ? prose(because) : '']
}

function operationBlocks(entries: IndexEntry[]): string[] {
  const byOperation = new Map<string, IndexEntry[]>()
  for (const entry of entries)
    byOperation.set(subjectOf(entry), [...(byOperation.get(subjectOf(entry)) ?? []), entry])
  const reasons = entries.flatMap(({ because }) => (because ? [prose(because)] : []))
  return [
    ...(reasons.length > 0 ? [`Reason: ${reasons.join(' ')}`] : []),
    table(
      ['Operation', 'Method and path', 'Success', 'Versions in v2'],
      [...byOperation].map(([id, all]) => [code(id), ...operationCells(all)]),
    ),
  ]
}

function operationCells(entries: IndexEntry[]): string[] {
  const versions: string[] = []
  let request = ''
  let status = ''
  for (const { key, says, holds } of entries) {
    const [, , part, detail] = key.split('/')
    if (part === undefined) request = code(says)
    else if (part === 'success') status = String(holds?.status ?? '')
    else if (detail === undefined) versions.push(part)
    else if (detail === 'deprecated') versions.push(`${versions.pop() ?? ''} (deprecated)`)
  }
  return [request, status, versions.join(', ')]
}

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const code = (text: string): string => `\`${text}\``

/**
 * Matches words that must be names: `camelCase`, `snake_case`, and names with a value, such as `status=OPEN`. Uppercase
 * error codes aren't included, because readers recognize them without formatting.
 */
const names = /^(?:[a-z]+[A-Z]\w*|[a-z]+(?:_[a-z]+)+|\w+=\w+)$/

/** Formats a text as a sentence, with field names and other names as code. */
function prose(text: string, fields: string[] = []): string {
  const formatted = text.replace(/[\w=]+/g, (word) =>
    fields.includes(word) || isName(word) ? code(word) : word,
  )
  return formatted + (/[.!?]$/.test(text) ? '' : '.')
}

const isName = (word: string): boolean => names.test(word)
