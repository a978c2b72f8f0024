import type { Exchange } from '../http/exchange.ts'

export const hasIndentedLine = ({ response }: Exchange): boolean => /\n[ \t]+\S/.test(response.body)

/** A body without fields isn't indented. Some JSON libraries also keep arrays on one line. */
const inOneLine = /^(\{\s*\}|\[\s*\]|\[ [^{}]* \])$/

/** Returns whether a body with fields spans more than one line. */
export const overLines = (exchange: Exchange): boolean =>
  hasIndentedLine(exchange) || inOneLine.test(exchange.response.body.trim())

/** Matches one token: a string, bracket, comma, number or word, or a line break with the indentation after it. */
const piece = /"(?:[^"\\]|\\.)*"|[{}[\],]|\r?\n[ \t]*|[^\s{}[\],:"]+/g

/**
 * Returns whether a JSON text has one field per line, is indented by two spaces per open bracket, and ends with a line
 * break. JSON libraries escape characters differently, and differ in spaces before colons and line breaks in arrays.
 * These differences don't matter.
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

/** Returns whether a body is indented according to our decision. */
export const indented = (exchange: Exchange): boolean =>
  overLines(exchange) && isIndented(exchange.response.body)
