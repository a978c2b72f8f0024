import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { changelog } from '../diff/changelog.ts'
import { completeDocument, resolveFiles } from './bundle.ts'
import { readDemo, readFacts, readHeaders, readRequirements, root } from './sources.ts'

const dist = join(root, 'dist')
const facts = readFacts()
const sources = { facts, demo: readDemo(), headers: readHeaders() }

mkdirSync(dist, { recursive: true })
const write = (name: string, value: unknown) =>
  writeFileSync(join(dist, name), `${JSON.stringify(value, null, 2)}\n`)

const resolved = resolveFiles(facts.versions)
const documents = new Map<string, unknown>()
for (const version of facts.versions) {
  const found = resolved.get(version.id)
  if (!found) throw new Error(`There is no document of version ${version.id}.`)
  const document = completeDocument(found, version, sources)
  documents.set(version.id, document)
  write(`${version.id}.json`, document)
  writeFileSync(
    join(dist, `${version.id}.yaml`),
    stringify(document, { lineWidth: 110, aliasDuplicateObjects: false }),
  )
}
write('facts.json', facts)
write(
  'changelog.json',
  changelog(facts, (id) => documents.get(id)),
)
write('requirements.json', readRequirements())
// A resource keeps its path (`self`): it may say alone which project and cluster it belongs to.
write(
  'demo.json',
  Object.fromEntries(
    Object.entries(sources.demo).map(([collection, resources]) => [collection, Object.values(resources)]),
  ),
)

// The workflows name the bundles by a path from their own folder, which is another one here.
const workflows = join(root, 'workflows')
mkdirSync(join(dist, 'workflows'), { recursive: true })
const named = readdirSync(workflows).filter((name) => name.endsWith('.yaml'))
const texts = named.map((name) => {
  const text = readFileSync(join(workflows, name), 'utf8').replaceAll('url: ../dist/', 'url: ../')
  writeFileSync(join(dist, 'workflows', name), text)
  return text
})
write(
  'workflows.json',
  Object.fromEntries(named.map((name, index) => [name.replace(/\.yaml$/, ''), parse(texts[index] ?? '')])),
)
