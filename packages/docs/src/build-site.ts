import { join } from 'node:path'
import { addConsole } from './console/build-console.ts'
import { type Inputs, specFolder } from './inputs.ts'
import { siteModel } from './model/site-model.ts'
import { addAssets } from './site/assets.ts'
import { allPages } from './site/pages.ts'
import { searchIndex } from './site/search-index.ts'
import { addExtras, addPages } from './site/site-files.ts'
import { type SiteFiles, syncFolder } from './site/sync-folder.ts'

export interface BuildOptions {
  /** The folder that holds `site` and what is kept between builds. */
  readonly out: string
  /** Where the site will be, for the site map. */
  readonly origin: string
}

/** What a build did. */
export interface Built {
  readonly pages: number
  readonly written: number
  /** Milliseconds of the console's renderer, and of everything else. */
  readonly milliseconds: { readonly consoles: number; readonly pages: number }
  /** What guides name that does not exist. */
  readonly unknown: readonly string[]
}

/** Builds the whole site. */
export async function buildSite(inputs: Inputs, { out, origin }: BuildOptions): Promise<Built> {
  const begun = performance.now()
  const { files, pages, unknown } = siteFiles(inputs, origin)
  const between = performance.now()
  await addConsoles(inputs, files, join(out, 'consoles'))
  const rendered = performance.now()
  const { written } = syncFolder(join(out, 'site'), files)
  const consoles = rendered - between
  return {
    pages,
    written,
    unknown,
    milliseconds: { pages: Math.round(performance.now() - begun - consoles), consoles: Math.round(consoles) },
  }
}

/** Every file of the site but those of the console; nothing is written. */
export function siteFiles(
  inputs: Inputs,
  origin: string,
): { files: SiteFiles; pages: number; unknown: readonly string[] } {
  const model = siteModel(inputs)
  const { pages, absent, guides, unknown } = allPages(model)
  const files: SiteFiles = new Map()
  addPages(model, [...pages, ...absent], files)
  addAssets(files)
  for (const version of model.versions)
    files.set(`assets/search-${version.id}.json`, searchIndex(model, version, guides))
  addExtras(model, pages, files, origin)
  return { files, pages: pages.length + absent.length, unknown }
}

async function addConsoles({ documents }: Inputs, files: SiteFiles, cache: string): Promise<void> {
  const versions = [...documents.keys()]
  const waiting = [...documents].map(([version, document]) => ({
    version,
    versions,
    title: `${document.info.title}: console`,
    document: join(specFolder, `${version}.json`),
  }))
  const work = async () => {
    for (let input = waiting.shift(); input; input = waiting.shift()) await addConsole(input, files, cache)
  }
  // Two at a time: the renderer uses one processor for seconds.
  await Promise.all([work(), work()])
}
