import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildConsole } from './console/build-console.ts'
import { type Inputs, specFolder } from './inputs.ts'
import { siteModel } from './model/site-model.ts'
import { writeAssets } from './site/assets.ts'
import { allPages } from './site/pages.ts'
import { searchIndex } from './site/search-index.ts'
import { writeExtras, writePages, writerTo } from './site/write-site.ts'

export interface BuildOptions {
  /** The folder that holds `site` and what is kept between builds. */
  readonly out: string
  /** Where the site will be, for the site map. */
  readonly origin: string
  /** Off for tests that do not need the seconds of the console's renderer. */
  readonly consoles: boolean
}

/** What a build did. */
export interface Built {
  readonly pages: number
  /** Milliseconds of the console's renderer, and of everything else. */
  readonly milliseconds: { readonly consoles: number; readonly pages: number }
  readonly unknown: readonly string[]
}

/** Builds the whole site beside the one before, and takes its place when it is complete. */
export async function buildSite(inputs: Inputs, { out, origin, consoles }: BuildOptions): Promise<Built> {
  const site = join(out, 'site')
  // Named after the process: two builds at once do not spoil one another.
  const next = join(out, `site.${process.pid}`)
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  const begun = performance.now()
  const { pages, unknown } = buildPages(inputs, next, origin)
  const between = performance.now()
  if (consoles) await buildConsoles(inputs, next, join(out, 'consoles'))
  const done = performance.now()
  rmSync(site, { recursive: true, force: true })
  renameSync(next, site)
  return {
    pages,
    unknown,
    milliseconds: { pages: Math.round(between - begun), consoles: Math.round(done - between) },
  }
}

function buildPages(
  inputs: Inputs,
  site: string,
  origin: string,
): { pages: number; unknown: readonly string[] } {
  const model = siteModel(inputs)
  const { pages, absent, guides, unknown } = allPages(model)
  const write = writerTo(site)
  writePages(model, [...pages, ...absent], write)
  writeAssets(site)
  for (const version of model.versions)
    write(`assets/search-${version.id}.json`, searchIndex(model, version, guides))
  writeExtras(model, pages, site, write, origin)
  return { pages: pages.length + absent.length, unknown }
}

async function buildConsoles({ documents }: Inputs, site: string, cache: string): Promise<void> {
  const versions = [...documents.keys()]
  const waiting = [...documents].map(([version, document]) => ({
    version,
    versions,
    title: `${document.info.title}: console`,
    document: join(specFolder, `${version}.json`),
  }))
  const work = async () => {
    for (let input = waiting.shift(); input; input = waiting.shift()) await buildConsole(input, site, cache)
  }
  // Two at a time: the renderer uses one processor for seconds.
  await Promise.all([work(), work()])
}
