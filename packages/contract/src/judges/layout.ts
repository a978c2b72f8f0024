import type { Exchange } from '../http/exchange.ts'

export const hasIndentedLine = ({ response }: Exchange): boolean => /\n[ \t]+\S/.test(response.body)

/** Without members there is nothing to indent; and some writers of JSON leave an array in its line, with spaces in it. */
const inOneLine = /^(\{\s*\}|\[\s*\]|\[ [^{}]* \])$/

/** Whether a body is printed over several lines, if it is one that has them. */
export const overLines = (exchange: Exchange): boolean =>
  hasIndentedLine(exchange) || inOneLine.test(exchange.response.body.trim())

/** Texts, brackets, commas, ends of lines with the spaces after them, and numbers and words. */
const piece = /"(?:[^"\\]|\\.)*"|[{}[\],]|\r?\n[ \t]*|[^\s{}[\],:"]+/g

/**
 * Whether each line of a JSON text is indented by two spaces for each bracket that an end of a line follows and that is
 * still open, each member has a line of its own, and the last line ends. How characters are escaped, whether a space
 * stands before a colon and whether an array goes on in its line, nobody decided: writers of JSON differ in these.
 */
const isIndented = (text: string): boolean => {
  const pieces = text.match(piece) ?? []
  const open: { readonly bracket: string; readonly breaks: boolean }[] = []
  return pieces.every((one, at) => {
    const next = pieces[at + 1]
    const breaks = next?.startsWith('\n') || next?.startsWith('\r\n') || false
    switch (one.trim()) {
      case '{':
      case '[':
        open.push({ bracket: one, breaks })
        return one === '[' || breaks || next === '}'
      case '}':
      case ']':
        return open.pop() !== undefined && (next !== undefined || open.length > 0)
      case ',':
        return breaks || open.at(-1)?.bracket === '['
      case '': {
        const closes = next === '}' || next === ']'
        const depth = open.filter((bracket) => bracket.breaks).length - (closes ? 1 : 0)
        return !breaks && one.replace(/^\r?\n/, '') === '  '.repeat(depth)
      }
      default:
        return true
    }
  })
}

/** Whether a body is printed as was decided. */
export const indented = (exchange: Exchange): boolean =>
  overLines(exchange) && isIndented(exchange.response.body)
