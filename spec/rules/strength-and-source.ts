import { asNode, asText, fieldsOf, type JsonNode, type Located } from './read/json.ts'
import { nodesIn } from './read/nodes.ts'
import { headersIn, operationsIn } from './read/operations.ts'
import { isPublished } from './read/published.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

/** Parts of an operation that `x-decided` can name, in addition to the fields of the operation object. */
const ofOperations = ['address', 'success', 'roles', 'deprecation', 'deprecationDate', 'sunsetDate']
const strengths = ['stated', 'decided', 'open']
const source = /^(\d(\.\d+)?|decided: \S.*|RFC \d+ §[\d.]+)$/

export const rule: Rule = {
  id: 'strength-and-source',
  message:
    'operations, schemas, parameters and headers must have an x-strength (stated, decided or open) and an x-source (a section, a decision or an RFC). x-decided must only list keywords that the schema has.',
  why: 'The conformance kit and the documentation distinguish facts in the specification source from our decisions.',
  scope: 'ours',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document, { version }) {
    if (isPublished(document, version)) return []
    const components = asNode(asNode(document).components)
    const must = [
      ...operationsIn(document),
      ...headersIn(document),
      ...['schemas', 'parameters', 'securitySchemes'].flatMap((kind) =>
        fieldsOf(components[kind], ['components', kind]).filter(({ value }) => !('$ref' in value)),
      ),
    ]
    const places = new Set(must.map(({ path }) => path.join('\0')))
    const may = nodesIn(document).filter(
      ({ value, path }) => !places.has(path.join('\0')) && ('x-strength' in value || 'x-source' in value),
    )
    const marked = nodesIn(document).filter(({ value }) => 'x-decided' in value)
    return [...[...must, ...may].flatMap(check), ...marked.flatMap((each) => checkMarks(document, each))]
  },
}

function check({ value, path }: Located) {
  const faults = [strengthFault(value), sourceFault(value)].filter((fault) => fault !== undefined)
  return faults.map((message) => ({ message, path }))
}

function strengthFault({ 'x-strength': strength }: JsonNode): string | undefined {
  return strengths.includes(String(strength)) ? undefined : `x-strength is ${strength ?? 'missing'}`
}

function sourceFault({ 'x-source': found }: JsonNode): string | undefined {
  return typeof found === 'string' && source.test(found) ? undefined : `x-source is ${found ?? 'missing'}`
}

function checkMarks(document: unknown, { value, path }: Located) {
  // If the schema refers to another file, the rule can't know which keywords it has.
  if (/^[^#]/.test(asText(value.$ref))) return []
  const schema = effective(document, value)
  return Object.keys(asNode(value['x-decided']))
    .filter((keyword) => !(keyword in schema) && !ofOperations.includes(keyword))
    .map((keyword) => ({ message: `x-decided lists ${keyword}, which doesn't exist here`, path }))
}
