import type { Inputs } from '../src/inputs.ts'

/** Renames every schema in a document. Copies of the document can then be merged without conflicts. */
function renamed(text: string, suffix: string): string {
  return text.replaceAll(/"#\/components\/schemas\/(\w+)"/g, `"#/components/schemas/$1${suffix}"`)
}

/**
 * Merges renamed copies of our newest document into a document with at least the given number of operations. No public
 * document in the package registry is this large. The largest public documents are 3 MB, with about 500 operations.
 */
export function largeInputs(inputs: Inputs, operations: number): Inputs {
  const fact = inputs.facts.versions.at(-1)
  const document = fact && inputs.documents.get(fact.id)
  if (!fact || !document) throw new Error('No document to copy.')
  const own = Object.values(document.paths).reduce(
    (count, item) =>
      count + Object.keys(item).filter((key) => key !== 'parameters' && key !== 'servers').length,
    0,
  )
  const copies = Math.ceil(operations / own)
  const paths: [string, unknown][] = []
  const schemas: [string, unknown][] = []
  for (let copy = 0; copy < copies; copy += 1) {
    const suffix = copy === 0 ? '' : `Copy${copy}`
    const text = renamed(JSON.stringify(document.paths), suffix).replaceAll(
      /"operationId":"(\w+)"/g,
      `"operationId":"$1${suffix}"`,
    )
    for (const [path, item] of Object.entries(JSON.parse(text)))
      paths.push([copy === 0 ? path : `/copy${copy}${path}`, item])
    for (const [name, schema] of Object.entries(
      JSON.parse(renamed(JSON.stringify(document.components.schemas), suffix)),
    ))
      schemas.push([`${name}${suffix}`, schema])
  }
  const large = JSON.parse(
    JSON.stringify({
      ...document,
      paths: Object.fromEntries(paths),
      components: { ...document.components, schemas: Object.fromEntries(schemas) },
    }),
  )
  return {
    ...inputs,
    facts: { ...inputs.facts, versions: [fact] },
    documents: new Map([[fact.id, large]]),
    changelog: [],
    guides: [],
    downloads: [],
  }
}
