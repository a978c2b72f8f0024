import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { fingerprintFile } from '../../scripts/built.mjs'
import { changelog } from '../diff/changelog.ts'
import { readIndex } from '../ledger/read.ts'
import { bundle } from './bundle.ts'
import { controlDocument } from './control.ts'
import { fingerprintOfSources } from './fingerprint.ts'
import { describeLintRules } from './lint-rules.ts'
import { writeModules } from './modules.ts'
import { originsOf } from './origins.ts'
import { splitProvenance } from './provenance.ts'
import { root } from './read-yaml.ts'
import { writeRuleset } from './ruleset.ts'
import { readDemo, readFacts, readRequirements } from './sources.ts'

const dist = join(root, 'dist')
const fingerprint = fingerprintOfSources()
const facts = readFacts()
const requirements = readRequirements()

mkdirSync(join(dist, 'workflows'), { recursive: true })
const writeText = (name: string, text: string) => writeFileSync(join(dist, name), text)
const write = (name: string, value: unknown) => writeText(name, `${JSON.stringify(value, null, 2)}\n`)

const bundling = bundle(facts.versions)
// The modules don't need the bundled documents, so they are compiled while another process bundles the documents.
writeModules(dist)
await writeRuleset(dist, facts)
writeWorkflows()
write('facts.json', facts)
write('requirements.json', requirements)
write('ledger.json', readIndex())
write('lint-rules.json', await describeLintRules())
write('origins.json', originsOf(facts.versions))
// Keep the path of each resource (`self`), because often only the path contains the resource's project and cluster.
write(
  'demo.json',
  Object.fromEntries(
    Object.entries(readDemo()).map(([collection, resources]) => [collection, Object.values(resources)]),
  ),
)

const documents = await bundling
// Many parsers support only YAML 1.1, in which an unquoted date isn't a string.
const written = { lineWidth: 110, aliasDuplicateObjects: false, compat: 'yaml-1.1' } as const
for (const [version, complete] of documents) {
  const { document, overlay } = splitProvenance(complete, version)
  write(`${version}.json`, document)
  write(`${version}.overlay.json`, overlay)
  writeText(`${version}.yaml`, stringify(document, written))
}
write(
  'changelog.json',
  changelog(facts, requirements, (id) => documents.get(id)),
)

const control = controlDocument()
write('control.json', control)
writeText('control.yaml', stringify(control, written))
copyFileSync(join(root, 'redocly.yaml'), join(dist, 'redocly.yaml'))
writeText(fingerprintFile, fingerprint)

function writeWorkflows(): void {
  const folder = join(root, 'workflows')
  const parsed = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => {
      // In the published package, the workflows are in a different folder, so the relative paths to the documents
      // change.
      const text = readFileSync(join(folder, name), 'utf8').replaceAll('url: ../dist/', 'url: ../')
      writeText(join('workflows', name), text)
      return [name.replace(/\.yaml$/, ''), parse(text)] as const
    })
  write('workflows.json', Object.fromEntries(parsed))
}
