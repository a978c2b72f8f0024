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

async function start(place: HTMLElement): Promise<void> {
  const address = (name: string) => new URL(place.dataset[name] ?? '', location.href).href
  const [library, definition]: [Library, Definition] = await Promise.all([
    import(address('library')),
    fetch(address('document'), { credentials: 'same-origin' }).then((answer) => answer.json()),
  ])
  // The renderer writes the version after the title.
  definition.info.title = definition.info.title.replace(` ${definition.info.version}`, '')
  await library.hydrate(definition, options, place)
}

// Where there are workers, the renderer's search makes one from a text, which the policy of the page forbids.
Reflect.deleteProperty(window, 'Worker')

const place = document.getElementById('redoc')
if (place) void start(place)
