import { join } from 'node:path'
import type { Inputs } from './inputs.ts'
import { siteModel } from './model/site-model.ts'
import { aliasesOf } from './site/aliases.ts'
import { loadAssets, readAssets } from './site/assets.ts'
import { compactHtml } from './site/compact.ts'
import { allPages } from './site/pages.ts'
import { addParents } from './site/parents.ts'
import { addSearchIndex } from './site/search-index.ts'
import { addExtras, addMissingPage, addPages, type Origin } from './site/site-files.ts'
import { type SiteFiles, syncFolder } from './site/sync-folder.ts'

export interface BuildOptions {
  /** The folder that contains `site`. */
  readonly out: string
  /** The site's public address, which the sitemap and canonical links need. */
  readonly origin?: Origin
}

export interface Built {
  readonly pages: number
  readonly written: number
  /** Names that guides mention but that aren't in the specification. */
  readonly unknown: readonly string[]
}

export async function buildSite(inputs: Inputs, { out, origin }: BuildOptions): Promise<Built> {
  const assets = loadAssets()
  const { files, pages, unknown } = siteFiles(inputs, origin, new Map())
  for (const [name, content] of files)
    if (name.endsWith('.html')) files.set(name, compactHtml(String(content)))
  for (const [name, content] of await assets) files.set(name, content)
  const { written } = syncFolder(join(out, 'site'), files)
  return { pages, written, unknown }
}

/** Returns the content of every file on the site, without writing the files. */
export function siteFiles(
  inputs: Inputs,
  origin: Origin,
  assets: SiteFiles = readAssets(),
): { files: SiteFiles; pages: number; unknown: readonly string[] } {
  const model = siteModel(inputs)
  const at = origin?.replace(/\/+$/, '')
  const aliases = aliasesOf(model)
  const { pages, unknown } = allPages(model)
  const files: SiteFiles = new Map(assets)
  addPages(model, pages, files, { origin: at, aliases })
  addSearchIndex(model, pages, files, aliases)
  addMissingPage(model, files, at)
  addExtras(model, pages, files, { origin: at, aliases })
  addParents(model, files)
  return { files, pages: pages.length, unknown }
}
