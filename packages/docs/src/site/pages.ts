import type { Page } from '../content/block.ts'
import { readLedger } from '../model/conformance-report.ts'
import { readDetection } from '../model/detection.ts'
import { hasPage } from '../model/schema-home.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import { changelogPages } from '../pages/changelog.ts'
import { conformancePages } from '../pages/conformance.ts'
import { controlPage } from '../pages/control.ts'
import { decisionPages } from '../pages/decisions.ts'
import { deprecationsPage } from '../pages/deprecations.ts'
import { downloadsPage } from '../pages/downloads.ts'
import { factPages } from '../pages/facts.ts'
import { guidePages } from '../pages/guides.ts'
import { headersPage } from '../pages/headers.ts'
import { homePage } from '../pages/home.ts'
import { implementersPage } from '../pages/implementers.ts'
import { lifecyclePages } from '../pages/lifecycle.ts'
import { lintRulesPage } from '../pages/lint-rules.ts'
import { operationPage } from '../pages/operation.ts'
import { requirementPages } from '../pages/requirements.ts'
import { schemaPage } from '../pages/schema.ts'
import { searchPage } from '../pages/search.ts'
import { tryPage } from '../pages/try.ts'
import { typesPage } from '../pages/types.ts'
import { versionPage } from '../pages/version.ts'
import { workflowPages } from '../pages/workflow.ts'

/**
 * All pages on the site, and the names in guides that aren't in the specification. A page that several versions share
 * is listed only once.
 */
export interface AllPages {
  readonly pages: readonly Page[]
  readonly unknown: readonly string[]
}

export function allPages(model: SiteModel): AllPages {
  const ledger = model.inputs.report === undefined ? undefined : readLedger(model.inputs.report)
  const detection = model.inputs.detection === undefined ? undefined : readDetection(model.inputs.detection)
  const guides = guidePages(model)
  const { spans } = model
  const isHere = (span: readonly VersionModel[], version: VersionModel) => span.at(-1) === version
  const reference = model.versions.flatMap((version) => [
    versionPage(model, version),
    typesPage(model, version),
    ...version.operations
      .filter(({ id }) => isHere(spans.operation(version, id), version))
      .map((operation) => operationPage(model, version, operation)),
    ...Object.entries(version.document.components.schemas)
      .filter(([name]) => hasPage(version, name) && isHere(spans.schema(version, name), version))
      .map(([name, schema]) => schemaPage(model, version, name, schema)),
  ])
  return {
    pages: [
      homePage(model),
      ...guides.pages,
      ...workflowPages(model),
      ...reference,
      ...factPages(model),
      headersPage(model),
      ...lifecyclePages(model),
      ...requirementPages(model, ledger, detection),
      ...decisionPages(model),
      ...changelogPages(model),
      deprecationsPage(model),
      ...conformancePages(model, ledger),
      tryPage(model),
      searchPage(model),
      downloadsPage(model),
      controlPage(model),
      implementersPage(model),
      lintRulesPage(model),
    ],
    unknown: guides.unknown,
  }
}
