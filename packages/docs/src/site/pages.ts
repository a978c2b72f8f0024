import type { Page } from '../content/block.ts'
import { readLedger } from '../model/conformance-report.ts'
import type { SiteModel } from '../model/site-model.ts'
import { changelogPages } from '../pages/changelog.ts'
import { conformancePages } from '../pages/conformance.ts'
import { controlPage } from '../pages/control.ts'
import { decisionPages } from '../pages/decisions.ts'
import { downloadsPage } from '../pages/downloads.ts'
import { factPages } from '../pages/facts.ts'
import { guidePages } from '../pages/guides.ts'
import { homePage } from '../pages/home.ts'
import { lifecyclePages } from '../pages/lifecycle.ts'
import { absentPage, operationPage } from '../pages/operation.ts'
import { requirementPages } from '../pages/requirements.ts'
import { schemaPage } from '../pages/schema.ts'
import { searchPage } from '../pages/search.ts'
import { tryPage } from '../pages/try.ts'
import { versionPage } from '../pages/version.ts'
import { workflowPages } from '../pages/workflow.ts'

/** Every page of the site, and the unknown names in guides. */
export interface AllPages {
  readonly pages: readonly Page[]
  /** Pages for subjects that don't exist in a version. */
  readonly absent: readonly Page[]
  readonly unknown: readonly string[]
}

export function allPages(model: SiteModel): AllPages {
  const ledger = model.inputs.report === undefined ? undefined : readLedger(model.inputs.report)
  const guides = guidePages(model)
  const reference = model.versions.flatMap((version) => [
    versionPage(model, version),
    ...version.operations.map((operation) => operationPage(model, version, operation)),
    ...Object.entries(version.document.components.schemas).map(([name, schema]) =>
      schemaPage(model, version, name, schema),
    ),
  ])
  const absent = model.versions.flatMap((version) =>
    [...model.operationIds.keys()]
      .filter((id) => !version.byId.has(id))
      .map((id) => absentPage(model, version, id)),
  )
  return {
    pages: [
      homePage(model),
      ...guides.pages,
      ...workflowPages(model),
      ...reference,
      ...factPages(model),
      ...lifecyclePages(model),
      ...requirementPages(model, ledger),
      ...decisionPages(model),
      ...changelogPages(model),
      ...conformancePages(model, ledger),
      tryPage(model),
      searchPage(model),
      downloadsPage(model),
      controlPage(model),
    ],
    absent,
    unknown: guides.unknown,
  }
}
