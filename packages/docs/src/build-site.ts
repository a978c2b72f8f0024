import { join } from 'node:path'
import { addConsole } from './console/build-console.ts'
import type { Inputs } from './inputs.ts'
import { siteModel } from './model/site-model.ts'
import { addAssets } from './site/assets.ts'
import { allPages } from './site/pages.ts'
import { addParents } from './site/parents.ts'
import { addSearchIndex } from './site/search-index.ts'
import { addExtras, addMissingPage, addPages, type Origin } from './site/site-files.ts'
import { type SiteFiles, syncFolder } from './site/sync-folder.ts'

export interface BuildOptions {
  /** The folder that holds `site`. */
  readonly out: string
  /** Where the site will be, for the site map and the canonical address of each page. */
  readonly origin?: Origin
}

/** What a build did. */
export interface Built {
  readonly pages: number
  readonly written: number
  /** What guides name that does not exist. */
  readonly unknown: readonly string[]
}

/** Builds the whole site. */
export function buildSite(inputs: Inputs, { out, origin }: BuildOptions): Built {
  const { files, pages, unknown } = siteFiles(inputs, origin)
  const { written } = syncFolder(join(out, 'site'), files)
  return { pages, written, unknown }
}

/** Every file of the site; nothing is written. */
export function siteFiles(
  inputs: Inputs,
  origin: Origin,
): { files: SiteFiles; pages: number; unknown: readonly string[] } {
  const model = siteModel(inputs)
  const at = origin?.replace(/\/+$/, '')
  const { pages, absent, unknown } = allPages(model)
  const files: SiteFiles = new Map()
  addPages(model, [...pages, ...absent], files, at)
  addAssets(files)
  addSearchIndex(model, pages, files)
  const consoles = model.versions.map(({ id }) => id)
  for (const { id, document } of model.versions)
    addConsole({ version: id, versions: consoles, title: `${document.info.title}: console` }, files)
  addMissingPage(model, files, at)
  addExtras(model, pages, files, at)
  addParents(model, files)
  return { files, pages: pages.length + absent.length, unknown }
}
