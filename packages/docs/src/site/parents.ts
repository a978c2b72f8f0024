import { html } from 'hono/html'
import { addresses, type SiteModel } from '../model/site-model.ts'
import type { SiteFiles } from './sync-folder.ts'

/**
 * Adds a page that leads on for each folder that has none of its own: who cuts an address short finds what lists the
 * things that are in it. It names files, since nothing else is there for who opened the site without a server.
 */
export function addParents({ versions, newest }: SiteModel, files: SiteFiles): void {
  const places: readonly (readonly [folder: string, to: string])[] = [
    ...versions.flatMap(({ id }) => [
      [`${id}/operations/`, addresses.version(id)] as const,
      [`${id}/schemas/`, `${addresses.version(id)}#schemas`] as const,
      [`changelog/${id}/`, '/changelog/'] as const,
    ]),
    ['openapi/', '/downloads/#openapi'],
    ['arazzo/', '/downloads/#arazzo'],
    ['console/', `/console/${newest.id}/`],
  ]
  for (const [folder, to] of places) {
    // The newest version is compared with none that comes after it.
    if ([...files.keys()].some((path) => path.startsWith(folder)))
      files.set(`${folder}index.html`, leadingTo(folder, to))
  }
}

function leadingTo(folder: string, to: string): string {
  const up = '../'.repeat(folder.split('/').length - 1)
  const target = `${up}${to.slice(1).replace(/\/(?=#|$)/, '/index.html')}`
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url=${target}">
<title>Moved on</title>
</head>
<body>
<main><h1>What is here is listed elsewhere</h1><p><a href="${target}">Go to the list</a></p></main>
</body>
</html>
`)
}
