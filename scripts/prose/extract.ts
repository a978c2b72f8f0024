import ts from 'typescript'

/**
 * Extracts the prose from a file as Markdown. Each text stays on its original line, and everything else is left blank.
 * The prose includes comments, sentences in strings, and descriptions in YAML.
 */
export function proseOf(path: string, text: string): string {
  if (path.endsWith('.md')) return text
  return /\.ya?ml$/.test(path) ? yamlProse(text) : codeProse(path, text)
}

/** Matches the keys in YAML whose values are sentences for readers. */
const proseKeys = /^(\s*)(?:- )?(description|summary|text|title|why|reason|detail|note|says|because):\s*(.*)$/

function yamlProse(text: string): string {
  const kept: string[] = []
  let indent = Number.POSITIVE_INFINITY
  for (const line of text.split('\n')) {
    const depth = line.search(/\S/)
    const key = proseKeys.exec(line)
    if (key) {
      indent = depth
      kept.push(unquoted(key[3] ?? ''))
    } else if (/^\s*#/.test(line)) kept.push(line.replace(/^\s*#+\s?/, ''))
    else if (depth > indent && !/^\s*(- )?[\w$-]+:(\s|$)/.test(line)) kept.push(unquoted(line.trim()))
    else {
      if (depth >= 0) indent = Number.POSITIVE_INFINITY
      kept.push('')
    }
  }
  return kept.join('\n')
}

const unquoted = (value: string): string =>
  /^[>|][+-]?$/.test(value) ? '' : value.replace(/^(['"])(.*)\1$/, '$2')

function codeProse(path: string, text: string): string {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lines = text.split('\n').map(() => '')
  const add = (position: number, prose: string): void => {
    const first = source.getLineAndCharacterOfPosition(position).line
    // Insert an empty line to end the paragraph. Otherwise, a sentence in a string would continue the comment above it.
    for (const [offset, line] of prose.split('\n').entries()) {
      const at = first + offset
      lines[at] = lines[at] ? `${lines[at]} ${line}` : line
    }
  }
  const seen = new Set<number>()
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? []) {
      if (!seen.has(pos)) add(pos, commentText(text.slice(pos, end)))
      seen.add(pos)
    }
    if (ts.isStringLiteralLike(node) && isSentence(node.text))
      add(node.getStart(source), node.text.split('\n')[0] ?? '')
    if (ts.isTemplateExpression(node)) {
      const sentence = node.getText(source).replace(/\$\{[^}]*\}/g, 'X')
      if (isSentence(sentence)) add(node.getStart(source), sentence.split('\n')[0] ?? '')
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return lines.join('\n')
}

/** Returns a comment's text. A tag such as `@throws` starts a new sentence. */
function commentText(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$/g, '  ')
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(\/\/+|\*)\s?/, '')
        .trim()
        .replace(/^@\w+\s*/, ''),
    )
    .join('\n')
}

/** Returns whether a text is a sentence. A sentence has at least five words and doesn't look like code. */
function isSentence(text: string): boolean {
  return (
    /^[`'"]?[A-Za-z`]/.test(text) &&
    text.split(/\s+/).length >= 5 &&
    !/=>|;$|^\s*(select|import|insert)\b/.test(text)
  )
}
