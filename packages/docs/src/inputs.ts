import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Facts,
  type LedgerEntry,
  loadChangelog,
  loadDocument,
  loadFacts,
  loadLedger,
  loadRequirements,
  loadWorkflows,
  type OpenApiDocument,
  type Requirement,
  type VersionChanges,
  type WorkflowDocument,
} from '@svc-admin/spec'

/** A file that readers can take away, and its name on the site. */
export interface Download {
  readonly name: string
  readonly text: string
}

/** A guide as it is written. */
export interface GuideSource {
  /** The last part of its address. */
  readonly slug: string
  readonly text: string
}

/** Everything that the site is made from. */
export interface Inputs {
  readonly documents: ReadonlyMap<string, OpenApiDocument>
  readonly facts: Facts
  readonly requirements: readonly Requirement[]
  /** All that the source and the decisions say. */
  readonly ledger: readonly LedgerEntry[]
  /** What differs between each version and every later one. */
  readonly changelog: readonly VersionChanges[]
  readonly workflows: Readonly<Record<string, WorkflowDocument>>
  readonly guides: readonly GuideSource[]
  readonly downloads: readonly Download[]
  /** A JSON report of the conformance kit on the reference server. */
  readonly report?: unknown
}

/** The folder with the bundles, wherever the package manager put it. */
export const specFolder = fileURLToPath(new URL('../dist/', import.meta.resolve('@svc-admin/spec')))
export const guidesFolder = fileURLToPath(new URL('../guides/', import.meta.url))

/** Reads what the specification was built to, the guides, and the report where one is given. */
export function readInputs(reportFile?: string): Inputs {
  const facts = loadFacts()
  const ids = facts.versions.map(({ id }) => id)
  return {
    documents: new Map(ids.map((id) => [id, loadDocument(id)])),
    facts,
    requirements: loadRequirements(),
    ledger: loadLedger(),
    changelog: loadChangelog(),
    workflows: loadWorkflows(),
    guides: readGuides(guidesFolder),
    downloads: downloadsOf(ids),
    ...(reportFile && { report: JSON.parse(readFileSync(reportFile, 'utf8')) as unknown }),
  }
}

/** Guides are ordered by the number that their file name begins with; the address goes without it. */
export function readGuides(folder: string): GuideSource[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => ({
      slug: name.replace(/^\d+-/, '').replace(/\.md$/, ''),
      text: readFileSync(join(folder, name), 'utf8'),
    }))
}

function downloadsOf(ids: readonly string[]): Download[] {
  const read = (name: string) => readFileSync(join(specFolder, name), 'utf8')
  const workflows = readdirSync(join(specFolder, 'workflows')).sort()
  return [
    ...[...ids, 'control'].flatMap((id) =>
      [`${id}.json`, `${id}.yaml`].map((name) => ({ name: `openapi/${name}`, text: read(name) })),
    ),
    ...workflows.map((name) => ({
      name: `arazzo/${name}`,
      // The documents that they name are in another folder of the site than in the package.
      text: read(`workflows/${name}`).replaceAll('url: ../', 'url: ../openapi/'),
    })),
    ...Object.entries(loadWorkflows()).map(([name, document]) => ({
      name: `arazzo/${name}.json`,
      text: `${JSON.stringify(document, null, 2).replaceAll('"url": "../', '"url": "../openapi/')}\n`,
    })),
  ]
}
