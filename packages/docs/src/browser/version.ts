import { element } from './elements.ts'

/**
 * Reads `?version=` on pages that several versions share. Shows this version in the version switch and in the samples,
 * and adds it to links to other reference pages. If this version has its own page, opens that page instead.
 */
export function followVersion(): void {
  const wanted = new URLSearchParams(location.search).get('version')
  const list = document.querySelector('details.versions')
  const own = document.body.dataset.version ?? ''
  if (!wanted || !list || wanted === own) return
  const choice = [...list.querySelectorAll('a')].find(
    (link) => link.firstChild?.textContent?.trim() === wanted,
  )
  if (!choice) return
  const address = new URL(choice.href)
  if (address.pathname !== location.pathname) {
    if (choice.querySelector('small')) showAbsence(list, own, wanted)
    else location.replace(address.pathname + (address.search || `?version=${wanted}`) + location.hash)
    return
  }
  list.querySelector('[aria-current]')?.removeAttribute('aria-current')
  choice.setAttribute('aria-current', 'true')
  const shown = list.querySelector('summary b')
  if (shown) shown.textContent = wanted
  // The search and the links also use this version.
  document.body.dataset.version = wanted
  for (const code of document.querySelectorAll('.samples code')) replaceDate(code, own, wanted)
  const { prefix, mediaType } = choice.dataset
  if (prefix && mediaType) showGeneration(prefix, mediaType)
  keepInLinks(own, wanted)
}

function showAbsence(list: Element, own: string, wanted: string): void {
  const text = `This page isn’t available for version ${wanted}. It describes version ${own}.`
  list.parentElement?.after(element('p', { class: 'callout warn', role: 'note' }, text))
}

/** Changes the date in media types and in the client's `version`. Dates in example data stay the same. */
function replaceDate(code: Element, own: string, wanted: string): void {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? ''
    if (text === `'${own}'`) node.nodeValue = `'${wanted}'`
    else if (text.includes(`.${own}+`)) node.nodeValue = text.replaceAll(`.${own}+`, `.${wanted}+`)
  }
}

/** Shows the path prefix and the media type for a version from a different generation. */
function showGeneration(prefix: string, mediaType: string): void {
  const shown = document.querySelector('.endpoint .prefix')
  const before = shown?.textContent ?? '/api/svc/v2'
  if (shown) shown.textContent = prefix
  for (const code of document.querySelectorAll('.rail code')) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      node.nodeValue = (node.nodeValue ?? '')
        .replaceAll(`${before}/`, `${prefix}/`)
        .replace(/application\/vnd\.svc\.[\w.-]+\+json/g, mediaType)
  }
}

function keepInLinks(own: string, wanted: string): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav.menu a, article a, .primary a')) {
    const isReference = link.pathname.includes(`/${own}/`) && link.search === ''
    if (!isReference || link.closest('.versions')) continue
    const isShared = /\/(operations|schemas)\/[^/]+\/(index\.html)?$/.test(link.pathname)
    if (isShared) link.search = `?version=${wanted}`
    else link.pathname = link.pathname.replace(`/${own}/`, `/${wanted}/`)
  }
  const tryIt = document.querySelector<HTMLAnchorElement>('.try-link')
  if (tryIt) tryIt.search = tryIt.search.replace(own, wanted)
}
