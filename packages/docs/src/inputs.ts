import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Facts,
  type LedgerEntry,
  type LintRule,
  loadChangelog,
  loadDocument,
  loadFacts,
  loadLedger,
  loadLintRules,
  loadOrigins,
  loadRequirements,
  loadWorkflows,
  type OpenApiDocument,
  type Origins,
  type Requirement,
  type VersionChanges,
  type WorkflowDocument,
} from '@svc-admin/spec'

/** A file that readers can download, and its path on the site. */
export interface Download {
  readonly name: string
  readonly text: string
}

export interface GuideSource {
  /** The last segment of the guide's URL. */
  readonly slug: string
  readonly text: string
}

export interface Inputs {
  readonly documents: ReadonlyMap<string, OpenApiDocument>
  readonly facts: Facts
  readonly requirements: readonly Requirement[]
  /** All statements from the specification source, and all decisions. */
  readonly ledger: readonly LedgerEntry[]
  readonly lintRules: readonly LintRule[]
  /** For each version and path, the version in which the path last changed. */
  readonly origins: Origins
  /** The changes between each version and every later version. */
  readonly changelog: readonly VersionChanges[]
  readonly workflows: Readonly<Record<string, WorkflowDocument>>
  readonly guides: readonly GuideSource[]
  readonly downloads: readonly Download[]
  /** The conformance kit's JSON report for the reference server. */
  readonly report?: unknown
  /** The number of mutants that the conformance kit finds, by requirement. */
  readonly detection?: unknown
}

/** The folder that contains the OpenAPI documents in the installed specification package. */
export const specFolder = fileURLToPath(new URL('../dist/', import.meta.resolve('@svc-admin/spec')))
export const guidesFolder = fileURLToPath(new URL('../guides/', import.meta.url))

/** Reads the built specification, the guides, and any reports. */
export function readInputs(reportFile?: string, detectionFile?: string): Inputs {
  const facts = loadFacts()
  const ids = facts.versions.map(({ id }) => id)
  return {
    documents: new Map(ids.map((id) => [id, loadDocument(id)])),
    facts,
    requirements: loadRequirements(),
    ledger: loadLedger(),
    lintRules: loadLintRules(),
    origins: loadOrigins(),
    changelog: loadChangelog(),
    workflows: loadWorkflows(),
    guides: readGuides(guidesFolder),
    downloads: downloadsOf(ids),
    ...(reportFile && { report: JSON.parse(readFileSync(reportFile, 'utf8')) as unknown }),
    ...(detectionFile && { detection: JSON.parse(readFileSync(detectionFile, 'utf8')) as unknown }),
  }
}

/**
 * Reads the guides. The number at the start of each file name determines the order and isn't part of the guide's
 * address.
 */
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
    // The downloads contain JSON without indentation.
    // YAML files and overlays for older versions are available only in the specification package.
    ...[...ids.map((id) => `${id}.json`), `${ids.at(-1)}.overlay.json`, 'control.json'].map((name) => ({
      name: `openapi/${name}`,
      text: `${JSON.stringify(JSON.parse(read(name)))}\n`,
    })),
    ...workflows.map((name) => ({
      name: `arazzo/${name}`,
      // On the site, the documents are in a different folder than in the package.
      text: read(`workflows/${name}`).replaceAll('url: ../', 'url: ../openapi/'),
    })),
    ...Object.entries(loadWorkflows()).map(([name, document]) => ({
      name: `arazzo/${name}.json`,
      text: `${JSON.stringify(document).replaceAll('"url":"../', '"url":"../openapi/')}\n`,
    })),
  ]
}
