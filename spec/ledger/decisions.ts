import type { IndexEntry } from './model.ts'

const heading = /^decided: ([^/]+)\/(.+)$/

const introduction = `# What the source leaves open, and what was decided

Written by \`npm run ledger -w spec -- --record\` from \`spec/ledger/index/decided-*.yaml\`; a test keeps the two the same.
A requirement or a fact of the documents cites each line by its heading (\`decided: Errors\`). Lines marked *open* are
a choice among several that callers must not rely on; all others hold in the documents, the server and the kit.
`

/** The decisions as a page for readers: a section for each heading, in the order of the headings' names. */
export function decisionsPage(index: IndexEntry[]): string {
  const sections = new Map<string, IndexEntry[]>()
  for (const entry of index) {
    const [, title] = heading.exec(entry.key) ?? []
    if (title) sections.set(title, [...(sections.get(title) ?? []), entry])
  }
  const titles = [...sections.keys()].sort()
  return [introduction, ...titles.map((title) => section(title, sections.get(title) ?? []))].join('\n')
}

function section(title: string, entries: IndexEntry[]): string {
  const lines = title === 'Operations' ? operationLines(entries) : entries.map(line)
  return [`## ${title}`, '', ...lines, ''].join('\n')
}

function line({ key, says, because, strength }: IndexEntry): string {
  const reason = because ? ` Why: ${sentence(because)}` : ''
  return `- **${subjectOf(key)}:** ${sentence(says)}${reason}${strength === 'open' ? ' *(open)*' : ''}`
}

/** What a decision is about, in words: a line may say no more than what is chosen of it. */
const subjectOf = (key: string) =>
  key
    .replace(/^decided: [^/]+\//, '')
    .replaceAll('/', ', ')
    .replace(/(?<=[a-z])-(?=[a-z])/g, ' ')

const sentence = (text: string) => `${text}${/[.!?]$/.test(text) ? '' : '.'}`

/** One line for each operation: what is decided of one is short, and there are many. */
function operationLines(entries: IndexEntry[]): string[] {
  const byOperation = new Map<string, string[]>()
  for (const { key, says } of entries) {
    const id = key.split('/')[1] ?? ''
    byOperation.set(id, [...(byOperation.get(id) ?? []), says.replace(/\.$/, '')])
  }
  return [...byOperation].map(([id, said]) => `- \`${id}\`: ${said.join('; ')}.`)
}
