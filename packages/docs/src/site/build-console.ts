import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { html, raw } from 'hono/html'
import { consolePolicy } from './policy.ts'
import type { SiteFiles } from './sync-folder.ts'

const cli = dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json'))

/** The inputs of a version's console. */
export interface ConsoleInput {
  readonly version: string
  readonly title: string
  /** Every version that has a console, in order. */
  readonly versions: readonly string[]
}

/**
 * Adds the Redoc console of a version as `console/<version>/`. Everything is rendered in the browser: prerendering takes
 * seconds of CPU time per document and only covers the overview, not the operations.
 */
export function addConsole({ version, title, versions }: ConsoleInput, files: SiteFiles): void {
  const links = versions.map((id) =>
    id === version ? html`<b aria-current="page">${id}</b>` : html`<a href="../${id}/">${id}</a>`,
  )
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${consolePolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="All operations and schemas of version ${version} on one page.">
<link rel="icon" href="../../assets/icon.svg" type="image/svg+xml">
<link rel="modulepreload" href="../../assets/redoc.js">
<link rel="preload" href="../../openapi/${version}.json" as="fetch" type="application/json" crossorigin>
<link rel="stylesheet" href="../../assets/console.css">
<script src="../../assets/console.js" defer></script>
</head>
<body>
<nav class="site-bar" aria-label="Site"><a href="../../">Documentation</a><a href="../../${version}/">${version} as pages</a><span>Console</span><span class="versions">${links}</span></nav>
<noscript><p>The console requires JavaScript. <a href="../../${version}/">The reference pages</a> don’t.</p></noscript>
<div id="redoc" data-library="../../assets/redoc.js" data-document="../../openapi/${version}.json"><h1>${title}</h1></div>
</body>
</html>
`
  files.set(`console/${version}/index.html`, String(raw(page)))
}

/** The renderer's script, without the image that it would load from its vendor. */
export const libraryScript = (): string =>
  withoutLogo(readFileSync(join(cli, 'lib/chunks/redoc.standalone.js'), 'utf8'))

/** Replaces the logo that the renderer loads from its vendor's host. */
export const withoutLogo = (text: string): string =>
  text.replaceAll(
    /https:\/\/cdn\.redoc\.ly\/[\w./-]+\.svg/g,
    'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI0NiIgaGVpZ2h0PSIxNiIgdmlld0JveD0iMCAwIDQ2IDE2Ij48dGV4dCB5PSIxMiIgZm9udC1mYW1pbHk9InNhbnMtc2VyaWYiIGZvbnQtc2l6ZT0iMTIiIGZvbnQtd2VpZ2h0PSI2MDAiIGZpbGw9IiM0YTZkYTAiPlJlZG9jPC90ZXh0Pjwvc3ZnPg==',
  )
