import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import type { Quantifier } from '@eslint-community/regexpp/ast'
import { getFirstConsumedChar, toCache } from 'regexp-ast-analysis'
import { analyse } from 'scslre'
import { asNode, type JsonPath } from './read/json.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'safe-pattern',
  message:
    'a pattern must be a valid regular expression that is anchored at both ends and matches in linear time.',
  why: "A pattern that isn't anchored accepts any text around a match. A pattern that backtracks too often can block a server for seconds.",
  scope: 'any',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return schemasIn(document)
      .flatMap(({ value, path }) => patternsOf(value, path))
      .flatMap(({ source, path }) => {
        const fault = faultOf(source)
        return fault ? [{ message: fault, path }] : []
      })
  },
}

function patternsOf(schema: Record<string, unknown>, path: JsonPath) {
  const own =
    typeof schema.pattern === 'string' ? [{ source: schema.pattern, path: [...path, 'pattern'] }] : []
  const names = Object.keys(asNode(schema.patternProperties))
  return [...own, ...names.map((source) => ({ source, path: [...path, 'patternProperties', source] }))]
}

function faultOf(source: string): string | undefined {
  // In JSON Schema, patterns are ECMA-262 regular expressions with the `u` flag (JSON Schema 2020-12 §6.4).
  try {
    new RegExp(source, 'u')
  } catch {
    return 'the pattern is not a valid regular expression'
  }
  try {
    if (!isAnchored(source)) return `${source} is not anchored at both ends`
    if (hasAmbiguousLoop(source))
      return `${source} repeats alternatives that can start with the same character`
    const [report] = analyse({ source, flags: 'u' }, { reportTypes: { Move: false } }).reports
    return report
      ? `matching ${source} can take ${report.exponential ? 'exponential' : 'polynomial'} time`
      : undefined
  } catch {
    return `the analysis of ${source} failed, so the pattern may be unsafe`
  }
}

/**
 * Returns whether a pattern is anchored at both ends. If a pattern consists only of assertions, such as a negative
 * lookahead, it doesn't need an anchor at its end.
 */
function isAnchored(source: string): boolean {
  const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })
  const isAssertion = ({ type }: { type: string }) => type === 'Assertion'
  return alternatives.every(({ elements }) => {
    const [first, last] = [elements.at(0), elements.at(-1)]
    if (first?.type !== 'Assertion' || first.kind !== 'start') return false
    return elements.every(isAssertion) || (last?.type === 'Assertion' && last.kind === 'end')
  })
}

/**
 * Finds loops that can match the same text in more than one way, such as `(a|a)*`, because the library scslre doesn't
 * find them. If all alternatives of a loop start with different characters, the loop can match a text in only one way.
 */
function hasAmbiguousLoop(source: string): boolean {
  const flags = toCache({
    unicode: true,
    ignoreCase: false,
    global: false,
    dotAll: false,
    multiline: false,
    sticky: false,
  })
  const loops: Quantifier[] = []
  visitRegExpAST(new RegExpParser().parsePattern(source, 0, source.length, { unicode: true }), {
    onQuantifierEnter: (node) => void (node.max === Number.POSITIVE_INFINITY && loops.push(node)),
  })
  return loops.some(({ element }) => {
    if (!('alternatives' in element)) return false
    const firsts = element.alternatives.map((each) => getFirstConsumedChar(each, 'ltr', flags))
    return firsts.some(({ char, empty }, index) => {
      const others = firsts.slice(index + 1)
      return firsts.length > 1 && (empty || others.some((other) => !char.isDisjointWith(other.char)))
    })
  })
}
