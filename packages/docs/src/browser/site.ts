import { addCopyButtons, copy } from './copy.ts'
import { element, isFile, remembered, rootOf } from './elements.ts'
import { attachSearch } from './search-box.ts'
import { followVersion } from './version.ts'

const root = rootOf(document.currentScript)

/** Adds a button for switching between light and dark mode. */
function addThemeSwitch(): void {
  const page = document.documentElement
  const dark = () =>
    page.dataset.theme ? page.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  const button = element('button', { type: 'button', class: 'theme-switch' })
  const say = () => {
    button.setAttribute('aria-label', dark() ? 'Use light colors' : 'Use dark colors')
    button.textContent = dark() ? '☀' : '☾'
  }
  button.addEventListener('click', () => {
    page.dataset.theme = dark() ? 'light' : 'dark'
    remembered.set('theme', page.dataset.theme)
    say()
  })
  say()
  document.querySelector('.site-header')?.append(button)
}

/** Remembers the language that the reader selected for the samples. */
function keepLanguage(): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>('.samples input[name=language]')]
  const wanted = choices.find(({ value }) => value === remembered.get('language'))
  if (wanted) wanted.checked = true
  for (const choice of choices)
    choice.addEventListener('change', () => remembered.set('language', choice.value))
}

/** Remembers whether the reader has turned on provenance. */
function keepProvenance(): void {
  const choice = document.querySelector<HTMLInputElement>('#provenance')
  if (!choice) return
  choice.checked = remembered.get('provenance') === 'true'
  choice.addEventListener('change', () => remembered.set('provenance', String(choice.checked)))
}

/**
 * Opens a closed `<details>` element that contains the link's target, because not all browsers do this. Links to a
 * repeated response field lead to the same field in the request.
 */
function revealTarget(): void {
  const id = decodeURIComponent(location.hash.slice(1))
  if (id === '') return
  const target = document.getElementById(id) ?? document.getElementById(id.replace(/^response\./, 'request.'))
  if (!target) return
  const closed = closedAround(target)
  for (const each of closed) each.open = true
  if (closed.length > 0 || target.id !== id) target.scrollIntoView()
}

function closedAround(target: Element): HTMLDetailsElement[] {
  const found: HTMLDetailsElement[] = []
  for (let each = target.closest('details'); each; each = each.parentElement?.closest('details') ?? null)
    if (!each.open) found.push(each)
  return found
}

function expandForPrint(): void {
  const opened: HTMLDetailsElement[] = []
  addEventListener('beforeprint', () => {
    for (const each of document.querySelectorAll<HTMLDetailsElement>('article details:not([open])')) {
      each.open = true
      opened.push(each)
    }
  })
  addEventListener('afterprint', () => {
    for (const each of opened.splice(0)) each.open = false
  })
}

/** Closes open menus when the reader presses Escape. Also closes the version list when the reader clicks elsewhere. */
function tendMenus(): void {
  document.addEventListener('click', ({ target }) => {
    for (const open of document.querySelectorAll<HTMLDetailsElement>('details.versions[open]'))
      if (!(target instanceof Node && open.contains(target))) open.open = false
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    const toggle = document.querySelector<HTMLInputElement>('#menu-toggle')
    if (toggle?.checked) {
      toggle.checked = false
      toggle.focus()
    }
    for (const open of document.querySelectorAll<HTMLDetailsElement>('details.versions[open]'))
      open.open = false
  })
}

/**
 * Scrolls the menus so that the current entry is visible. Reads all positions before making changes, to avoid forcing
 * another layout.
 */
function showWhereOneIs(): void {
  const menu = document.querySelector('nav.menu')
  const current = menu?.querySelector('[aria-current]')
  const row = document.querySelector('nav.primary')
  const part = row?.querySelector<HTMLElement>('[aria-current]')
  const away = menu && current ? current.getBoundingClientRect().top - menu.getBoundingClientRect().top : 0
  const height = menu?.clientHeight ?? 0
  const along = row && part ? part.offsetLeft - row.clientWidth / 2 + part.offsetWidth / 2 : 0
  if (menu && away > height - 80) menu.scrollTop = away - height / 2
  if (row) row.scrollLeft = along
}

/**
 * Highlights the current section in the table of contents. The current section starts at the last heading in or above
 * the top quarter of the screen.
 */
function followHeadings(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.contents a')].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  )
  if (links.size === 0) return
  const passed = new Set<string>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) passed.add(target.id)
        else passed.delete(target.id)
      }
      const [here] = [...links.keys()].filter((id) => passed.has(id)).slice(-1)
      for (const [id, link] of links) link.classList.toggle('here', id === here)
    },
    // This large top margin includes all headings above the screen, even on very long pages.
    { rootMargin: '1000000px 0px -75% 0px' },
  )
  for (const id of links.keys()) {
    const heading = document.getElementById(id)
    if (heading) observer.observe(heading)
  }
}

/**
 * Returns a function that scrolls to the current link's target again, unless the reader has scrolled in the meantime.
 * On slow machines, the target can move out of view while the parts above it are laid out.
 */
function watchReader(): () => void {
  const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  let moved = arrival?.type !== 'navigate'
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    addEventListener(type, () => (moved = true), { passive: true, capture: true })
  addEventListener('hashchange', () => (moved = false))
  return () => {
    const target = moved ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)))
    target?.scrollIntoView()
  }
}

/**
 * `far-below.css` delays the layout of parts that are far below the first screen. This function lays out these parts
 * one by one while the browser is idle so that link targets don't move later.
 */
function layOutTheRest(): void {
  const parts = [
    ...document.querySelectorAll<HTMLElement>(
      'article .fields, article .operations, article > .scroll, .rest > .scroll',
    ),
  ]
  const soon = window.requestIdleCallback ?? ((next: () => void) => setTimeout(next, 50))
  const one = () => {
    const part = parts.shift()
    if (!part) return
    part.style.contentVisibility = 'visible'
    if (parts.length === 0) returnToTarget()
    else soon(one)
  }
  soon(one)
}

/** If the page was opened as a file, makes links to folders point to the `index.html` in each folder. */
function leadToFiles(): void {
  if (!isFile()) return
  document.addEventListener(
    'click',
    ({ target }) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (link?.protocol === 'file:' && link.pathname.endsWith('/')) link.pathname += 'index.html'
    },
    { capture: true },
  )
  for (const form of document.forms) if (form.action.endsWith('/')) form.action += 'index.html'
}

/** Adds a button for entering values to use in the samples. Loads the form's script on demand. */
function offerValues(): void {
  const sample = [...document.querySelectorAll('article figure.code')].find((each) =>
    each.textContent?.includes('SVC_'),
  )
  if (!sample) return
  const button = element('button', { type: 'button', class: 'use-values plain-button' }, 'Use your values')
  const load = () => document.head.append(element('script', { src: `${root}assets/values.js` }))
  button.addEventListener('click', load, { once: true })
  const box = sample.closest('.rail-inner')
  if (box) box.append(button)
  else sample.after(button)
  if (remembered.hasValues()) load()
}

/** Makes the link to the page's Markdown file copy the Markdown to the clipboard. */
function copyMarkdown(): void {
  const link = document.querySelector<HTMLAnchorElement>('a.copy-page')
  if (!link || isFile()) return
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void copy(
      fetch(link.href).then((response) => response.text()),
      link,
    )
  })
}

const returnToTarget = watchReader()
addThemeSwitch()
followVersion()
leadToFiles()
addCopyButtons(document)
copyMarkdown()
offerValues()
keepLanguage()
keepProvenance()
revealTarget()
addEventListener('hashchange', revealTarget)
expandForPrint()
tendMenus()
attachSearch(root)
// The browser lays out the page for the first frame anyway, so these functions cause no additional layout.
requestAnimationFrame(() => {
  showWhereOneIs()
  followHeadings()
  layOutTheRest()
})
