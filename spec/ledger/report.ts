import type { ProblemList } from './model.ts'

const width = 80

/** Formats all problems in lines of at most 80 columns. */
export function reportText(lists: ProblemList[]): string {
  const found = lists.reduce((sum, { problems }) => sum + problems.length, 0)
  return [
    ...lists.flatMap(({ title, checked, problems }) => [
      `${problems.length === 0 ? 'ok ' : 'NOT'} ${problems.length} of ${checked}: ${title}`,
      ...problems.flatMap(({ at, says, source }) => [
        ...wrapped(`${at}: ${says}`),
        ...(source === undefined ? [] : wrapped(`  See ${source}`)),
      ]),
    ]),
    found === 0
      ? 'The ledger is complete.'
      : `The ledger has ${found} ${found === 1 ? 'problem' : 'problems'}.`,
  ].join('\n')
}

/** Wraps a text at word boundaries. Words that are longer than a line are split. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  let line = '   '
  for (const word of text.split(' ').flatMap(pieces)) {
    if (line.length + 1 + word.length > width) {
      lines.push(line)
      line = '     '
    }
    line += ` ${word}`
  }
  return [...lines, line]
}

function pieces(word: string): string[] {
  const size = width - 6
  return word.length <= size ? [word] : [word.slice(0, size), ...pieces(word.slice(size))]
}
