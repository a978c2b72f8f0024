import { element, fileAdvice, isFile, remembered } from './elements.ts'

/** The exports of the console's renderer. */
interface Library {
  hydrate(definition: unknown, options: Record<string, unknown>, place: Element): Promise<void>
}

interface Definition {
  readonly info: { title: string; readonly version: string }
}

// `disableTelemetry` prevents the renderer from reporting readers to its vendor.
const options = {
  disableTelemetry: true,
  hideDownloadButtons: true,
  schemasExpansionLevel: 1,
  showExtensions: ['x-roles', 'x-strength', 'x-source'],
  skipBundle: true,
}

// The renderer stores its own color scheme. Synchronize it with the site's in both directions.
const key = 'redoc.colorMode'
const chosen = remembered.get('theme')
if (chosen) remembered.set(key, chosen)
const mode = remembered.get(key)
addEventListener('pagehide', () => {
  const now = remembered.get(key)
  if (now && now !== mode) remembered.set('theme', now)
})

// The renderer adds its own class later. Without this one, the page would flash in the wrong colors.
const dark = mode ? mode === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.classList.add(dark ? 'dark' : 'light')

/** The renderer doesn't report when it is done. It inserts the complete page, including the title, in one step. */
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
      if (!response.ok) throw new Error(`${response.url} returned ${response.status}.`)
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
  const text = `The console could not be loaded: ${reason} Use the pages linked above instead.`
  place.setAttribute('aria-busy', 'false')
  place.append(element('p', { role: 'alert' }, text))
}

// The renderer's search creates workers from text, which the page's policy forbids.
Reflect.deleteProperty(window, 'Worker')

const place = document.getElementById('redoc')
if (place) start(place).catch((error) => apologize(place, error))
