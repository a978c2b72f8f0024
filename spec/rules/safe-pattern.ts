import { analyse } from 'scslre'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'safe-pattern',
  message: 'a pattern is a valid regular expression, is anchored at both ends and cannot backtrack.',
  given: wholeDocument,
  structural: true,
  function(document) {
    return schemasIn(document).flatMap(({ value, path }) => {
      const own =
        typeof value.pattern === 'string' ? [{ source: value.pattern, at: [...path, 'pattern'] }] : []
      const names = Object.keys(
        typeof value.patternProperties === 'object' ? (value.patternProperties ?? {}) : {},
      ).map((source) => ({ source, at: [...path, 'patternProperties', source] }))
      return [...own, ...names].flatMap(({ source, at }) => {
        const fault = faultOf(source)
        return fault ? [{ message: fault, path: at }] : []
      })
    })
  },
}

function faultOf(source: string): string | undefined {
  // JSON Schema 2020-12 §6.4: patterns are regular expressions of ECMA-262 with the u flag.
  try {
    new RegExp(source, 'u')
  } catch {
    return 'it is no regular expression'
  }
  if (!/^\^.*\$$/s.test(source)) return `${source} is not anchored at both ends`
  try {
    const { reports } = analyse({ source, flags: 'u' }, { reportTypes: { Move: false } })
    const [report] = reports
    return report ? `${source} takes ${report.exponential ? 'exponential' : 'polynomial'} time` : undefined
  } catch {
    return `${source} is beyond what can be proven to be safe`
  }
}
