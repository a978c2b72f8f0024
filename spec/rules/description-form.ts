import { nodesIn } from './read/nodes.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'description-form',
  message:
    'a description is made of sentences: it begins with a capital, a numeral or code, ends with a full stop, and has no HTML and no table.',
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
    [words === '', 'it is empty'],
    [words !== '' && !/^[\p{Lu}\d`(*"]/u.test(words), 'it does not begin with a capital'],
    [words !== '' && !/[.]$|[.][)"]$/.test(words), 'it does not end with a full stop'],
    [/<\/?[a-z][a-z0-9]*(\s[^>]*)?\/?>/i.test(prose), 'it has HTML'],
    [/^\s*\|.*\|\s*$/m.test(prose), 'it has a table'],
    [/\b(TODO|FIXME|TBD|lorem ipsum)\b/i.test(prose), 'it is unfinished'],
  ]
  return tests.filter(([fails]) => fails).map(([, message]) => message)
}
