import { element, fileAdvice, isFile, remembered } from './elements.ts'

/** What the console's renderer exports. */
interface Library {
  hydrate(definition: unknown, options: Record<string, unknown>, place: Element): Promise<void>
}

interface Definition {
  readonly info: { title: string; readonly version: string }
}

// `disableTelemetry` keeps traces of readers from the renderer's vendor.
const options = {
  disableTelemetry: true,
  hideDownloadButtons: true,
  schemasExpansionLevel: 1,
  showExtensions: ['x-roles', 'x-strength', 'x-source'],
  skipBundle: true,
}

// The renderer keeps a choice of colours of its own: it begins as that of the site, and what is chosen here holds there.
const key = 'redoc.colorMode'
const chosen = remembered.get('theme')
if (chosen) remembered.set(key, chosen)
const mode = remembered.get(key)
addEventListener('pagehide', () => {
  const now = remembered.get(key)
  if (now && now !== mode) remembered.set('theme', now)
})

// The renderer adds its own class later: without this one the page would flash in the other colours.
const dark = mode ? mode === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.classList.add(dark ? 'dark' : 'light')

/** The renderer promises nothing of when it has drawn; it puts the whole page into its place, a title too, in one step. */
function emptyUntilDrawn(place: HTMLElement): void {
  place.replaceChildren()
  new MutationObserver((_, observer) => {
    place.setAttribute('aria-busy', 'false')
    observer.disconnect()
  }).observe(place, { childList: true })
}

async function start(place: HTMLElement): Promise<void> {
  place.setAttribute('aria-busy', 'true')
  const address = (name: string) => new URL(place.dataset[name] ?? '', location.href).href
  const [library, definition]: [Library, Definition] = await Promise.all([
    import(address('library')),
    fetch(address('document'), { credentials: 'same-origin' }).then((response) => {
      if (!response.ok) throw new Error(`${response.url} answered ${response.status}.`)
      return response.json()
    }),
  ])
  // The renderer writes the version after the title.
  definition.info.title = definition.info.title.replace(` ${definition.info.version}`, '')
  emptyUntilDrawn(place)
  await library.hydrate(definition, options, place)
}

function apologize(place: HTMLElement, { message }: Error): void {
  const reason = isFile() ? fileAdvice : message
  const text = `The console could not be loaded: ${reason} The plain pages, linked above, say the same.`
  place.setAttribute('aria-busy', 'false')
  place.append(element('p', { role: 'alert' }, text))
}

// Where there are workers, the renderer's search makes one from a text, which the policy of the page forbids.
Reflect.deleteProperty(window, 'Worker')

const place = document.getElementById('redoc')
if (place) start(place).catch((error) => apologize(place, error))
