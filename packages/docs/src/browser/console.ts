import { element } from './elements.ts'

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

const key = 'redoc.colorMode'
const stored = (): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

// The renderer adds its own class later: without this one the page would flash in the other colours.
const mode = stored()
const dark = mode ? mode === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.classList.add(dark ? 'dark' : 'light')

/** The renderer promises nothing of when it has drawn; it puts the whole page into its place in one step. */
function untilDrawn(place: HTMLElement): void {
  place.setAttribute('aria-busy', 'true')
  new MutationObserver((_, observer) => {
    place.setAttribute('aria-busy', 'false')
    observer.disconnect()
  }).observe(place, { childList: true })
}

async function start(place: HTMLElement): Promise<void> {
  untilDrawn(place)
  const address = (name: string) => new URL(place.dataset[name] ?? '', location.href).href
  const [library, definition]: [Library, Definition] = await Promise.all([
    import(address('library')),
    fetch(address('document'), { credentials: 'same-origin' }).then((answer) => {
      if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}.`)
      return answer.json()
    }),
  ])
  // The renderer writes the version after the title.
  definition.info.title = definition.info.title.replace(` ${definition.info.version}`, '')
  await library.hydrate(definition, options, place)
}

function apologize(place: HTMLElement, { message }: Error): void {
  const text = `The console could not be loaded: ${message} The plain pages, linked above, say the same.`
  place.replaceChildren(element('p', { role: 'alert' }, text))
}

// Where there are workers, the renderer's search makes one from a text, which the policy of the page forbids.
Reflect.deleteProperty(window, 'Worker')

const place = document.getElementById('redoc')
if (place) start(place).catch((error) => apologize(place, error))
