import { addCopyButtons } from './copy.ts'
import { element, remembered, rootOf } from './elements.ts'
import { attachSearch } from './search-box.ts'

const root = rootOf(document.currentScript)

/** A button for light and dark, beside what the system says. */
function addThemeSwitch(): void {
  const page = document.documentElement
  const dark = () =>
    page.dataset.theme ? page.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  const button = element('button', { type: 'button', class: 'theme-switch' })
  const say = () => {
    button.setAttribute('aria-label', dark() ? 'Use light colours' : 'Use dark colours')
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

/** The language of the samples stays what it was on the page before. */
function keepLanguage(): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>('.samples input[type=radio]')]
  const wanted = choices.find(({ value }) => value === remembered.get('language'))
  if (wanted) wanted.checked = true
  for (const choice of choices)
    choice.addEventListener('change', () => remembered.set('language', choice.value))
}

/** The menu shows where one is; Escape closes what is open. */
function tendMenus(): void {
  const menu = document.querySelector('nav.menu')
  const current = menu?.querySelector('[aria-current]')
  if (menu && current) {
    const away = current.getBoundingClientRect().top - menu.getBoundingClientRect().top
    if (away > menu.clientHeight - 80) menu.scrollTop = away - menu.clientHeight / 2
  }
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

/** The part of the site that one is in stands in sight where the row of parts is longer than the screen. */
function showPart(): void {
  const row = document.querySelector('nav.primary')
  const current = row?.querySelector<HTMLElement>('[aria-current]')
  if (row && current) row.scrollLeft = current.offsetLeft - row.clientWidth / 2 + current.offsetWidth / 2
}

/** Marks in the contents the heading that is being read. */
function followHeadings(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.contents a')].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  )
  if (links.size === 0) return
  const observer = new IntersectionObserver(
    (entries) => {
      const seen = entries.find(({ isIntersecting }) => isIntersecting)
      if (!seen) return
      for (const [id, link] of links) link.classList.toggle('here', id === seen.target.id)
    },
    { rootMargin: '-10% 0px -75% 0px' },
  )
  for (const id of links.keys()) {
    const heading = document.getElementById(id)
    if (heading) observer.observe(heading)
  }
}

addThemeSwitch()
addCopyButtons(document)
keepLanguage()
tendMenus()
showPart()
followHeadings()
attachSearch(root)
