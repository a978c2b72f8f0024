import { html } from 'hono/html'
import { addresses } from '../model/addresses.ts'
import type { SiteModel } from '../model/site-model.ts'
import type { SiteFiles } from './sync-folder.ts'

/**
 * Adds a page to each folder that has no page of its own, because readers may remove the last part of an address. The
 * page redirects to a list of the folder's contents. The target is a file so that the redirect also works without a
 * server.
 */
export function addParents({ versions }: SiteModel, files: SiteFiles): void {
  const places: readonly (readonly [folder: string, to: string])[] = [
    ...versions.flatMap(({ id }) => [
      [`${id}/operations/`, addresses.version(id)] as const,
      [`${id}/schemas/`, `${addresses.version(id)}#schemas`] as const,
      [`changelog/${id}/`, '/changelog/'] as const,
    ]),
    ['openapi/', '/downloads/#openapi'],
    ['collections/', '/downloads/#collections'],
    ['arazzo/', '/downloads/#arazzo'],
  ]
  for (const [folder, to] of places) {
    // Some versions don't have all of these folders.
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
<title>Redirect</title>
</head>
<body>
<main><h1>This list is on a different page</h1><p><a href="${target}">Go to the list</a></p></main>
</body>
</html>
`)
}
