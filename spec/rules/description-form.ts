import { nodesIn } from './read/nodes.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'description-form',
  message:
    'a description must consist of complete sentences. It must start with a capital letter, a number or code, end with a period, and not contain HTML or tables.',
  why: 'Many tools show descriptions as plain text, in tooltips or table cells. HTML and Markdown tables are hard to read there.',
  scope: 'style',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return nodesIn(document).flatMap(({ value, path }) =>
      typeof value.description === 'string'
        ? faultsOf(value.description).map((message) => ({ message, path: [...path, 'description'] }))
        : [],
    )
  },
}

function faultsOf(text: string): string[] {
  const words = text.trim()
  const prose = words.replaceAll(/`[^`]*`/g, '`code`')
  const tests: [boolean, string][] = [
    [words === '', 'the description is empty'],
    [words !== '' && !/^[\p{Lu}\d`(*"]/u.test(words), 'the description does not start with a capital letter'],
    [words !== '' && !/[.]$|[.][)"]$/.test(words), 'the description does not end with a period'],
    [/<\/?[a-z][a-z0-9]*(\s[^>]*)?\/?>/i.test(prose), 'the description contains HTML'],
    [/^\s*\|.*\|\s*$/m.test(prose), 'the description contains a table'],
    [/\b(TODO|FIXME|TBD|lorem ipsum)\b/i.test(prose), 'the description contains a placeholder, such as TODO'],
  ]
  return tests.filter(([fails]) => fails).map(([, message]) => message)
}
