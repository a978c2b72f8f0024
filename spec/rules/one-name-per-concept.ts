import { asText, type JsonPath } from './read/json.ts'
import { nodesIn } from './read/nodes.ts'
import { type Finding, type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'
import { sourceNames } from './read/source-names.ts'

/** Synonyms in names. The documents always use the first word in each row. */
const synonyms = [
  ['org', 'organization', 'organisation'], // cspell:disable-line
  ['group', 'project'],
  ['config', 'configuration', 'cfg'],
  ['id', 'identifier', 'uid'],
  ['name', 'title'],
  ['databasename', 'dbname', 'database', 'db'],
  ['collectionname', 'collection'],
  ['hostname', 'host'],
  ['username', 'user', 'login'],
  ['ipaddress', 'ip', 'ipaddr'],
  ['created', 'createdat', 'createddate', 'creationdate', 'createtime'],
  ['updated', 'updatedat', 'updateddate', 'modified', 'modifiedat'],
  ['comment', 'remark'],
  ['description', 'desc'],
]

interface Named {
  name: string
  path: JsonPath
}

export const rule: Rule = {
  id: 'one-name-per-concept',
  message:
    'properties and parameters for the same concept must have the same name and spelling, unless the specification source uses several names.',
  why: "If a concept has two names, readers can't tell whether both mean the same.",
  scope: 'ours',
  given: wholeDocument,
  function(document) {
    const concepts = new Map<string, Map<string, Named>>()
    for (const named of [...propertiesIn(document), ...parametersIn(document)]) {
      if (Object.hasOwn(sourceNames, named.name)) continue
      const spellings = concepts.get(conceptOf(named.name)) ?? new Map<string, Named>()
      if (!spellings.has(named.name)) spellings.set(named.name, named)
      concepts.set(conceptOf(named.name), spellings)
    }
    return [...concepts.values()].filter((spellings) => spellings.size > 1).flatMap(faults)
  },
}

function faults(spellings: Map<string, Named>): Finding[] {
  const [first, ...others] = [...spellings.values()]
  return others.map(({ name, path }) => ({
    message: `${name} and ${first?.name} are two names for the same concept`,
    path,
  }))
}

function propertiesIn(document: unknown): Named[] {
  return schemasIn(document).filter(({ place }) => place === 'property')
}

function parametersIn(document: unknown): Named[] {
  return nodesIn(document)
    .filter(({ value }) => ['path', 'query'].includes(asText(value.in)) && typeof value.name === 'string')
    .map(({ value, path }) => ({ name: asText(value.name), path }))
}

/**
 * Returns a name in lowercase, without separators, and with all synonyms replaced by the word that the documents use.
 * Replaces synonyms in each word of the name first, and then in the whole name.
 */
function conceptOf(name: string): string {
  const parts = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
  return ours(parts.map(ours).join(''))
}

function ours(word: string): string {
  return synonyms.find((row) => row.includes(word))?.[0] ?? word
}
