import { asNode, asText, fieldsOf, type JsonNode, type Located } from './read/json.ts'
import { effective, referredName } from './read/reference.ts'
import { type Finding, type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'discriminator-complete',
  message:
    "a discriminator's mapping must list each branch that requires the discriminator property, under the property's constant value in that branch. The mapping must not list other schemas.",
  why: 'Generated clients use the mapping to choose a type for each value. If an entry is missing or wrong, they fail at run time.',
  scope: 'any',
  given: wholeDocument,
  function(document) {
    return schemasIn(document)
      .filter(({ value }) => 'discriminator' in value)
      .flatMap((schema) => faultsOf(document, schema))
  },
}

function faultsOf(document: unknown, { value, path }: Located): Finding[] {
  const at = [...path, 'discriminator']
  const discriminator = asNode(value.discriminator)
  const property = asText(discriminator.propertyName)
  if (property === '') return [{ message: 'propertyName is missing', path: at }]
  const mapping = asNode(discriminator.mapping)
  const branches = ['oneOf', 'anyOf'].flatMap((key) => fieldsOf(value[key], [...path, key]))
  if (branches.length === 0) return [{ message: 'the schema has no oneOf or anyOf branches', path: at }]
  const references = new Set(branches.map((branch) => asText(branch.value.$ref)))
  return [
    ...branches.flatMap((branch) => branchFaults(document, branch, property, mapping)),
    ...Object.entries(mapping)
      .filter(([, target]) => !references.has(asText(target)))
      .map(([name]) => ({ message: `${name} does not map to a branch`, path: [...at, 'mapping', name] })),
  ]
}

function branchFaults(document: unknown, branch: Located, property: string, mapping: JsonNode): Finding[] {
  const reference = asText(branch.value.$ref)
  const schema = effective(document, branch.value)
  const field = effective(document, asNode(schema.properties)[property])
  const values = 'const' in field ? [field.const] : Array.isArray(field.enum) ? field.enum : undefined
  // Every schema is mapped by its name, even without an entry (OpenAPI 3.1.1 §4.8.25).
  const names = Object.entries(mapping)
    .filter(([, target]) => target === reference)
    .map(([name]) => name)
    .filter((name) => values !== undefined || name !== referredName(branch.value))
  const isRequired = Array.isArray(schema.required) && schema.required.includes(property)
  if (!('properties' in schema) || !Object.hasOwn(asNode(schema.properties), property))
    return [{ message: `branch ${reference} has no property ${property}`, path: branch.path }]
  // Without this check, the branch for undocumented variants could also match documented variants.
  if (!isRequired && names.length === 0 && !('const' in field)) return []
  const faults = [
    ...(isRequired ? [] : [`property ${property} is not required in ${reference}`]),
    ...(names.length > 0 || Object.keys(mapping).length === 0
      ? []
      : [`the mapping does not contain ${reference}`]),
    ...names
      .filter((name) => values && !values.includes(name))
      .map((name) => `${name} is not a value of ${property} in ${reference}`),
  ]
  return faults.map((message) => ({ message, path: branch.path }))
}
