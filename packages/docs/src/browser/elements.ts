/** Makes an element with attributes and children; text never becomes markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

/** A name or a path, which ends a line after a dot, a line or a stroke, or before a capital, rather than at any letter. */
export const breakable = (text: string): (Node | string)[] =>
  text
    .split(/(?<=[._/])(?=[^._/])|(?<=[a-z0-9])(?=[A-Z])/)
    .flatMap((part, at) => (at === 0 ? [part] : [element('wbr'), part]))

/** A value that outlives the page; nothing where storage is forbidden. */
export const remembered = {
  get(key: string): string | undefined {
    try {
      return localStorage.getItem(key) ?? undefined
    } catch {
      return undefined
    }
  },
  set(key: string, value: string): void {
    try {
      localStorage.setItem(key, value)
    } catch {
      // The choice holds for this page only.
    }
  },
}

/** The root of the site, from where this script came from. */
export function rootOf(script: Element | null): string {
  const source = script?.getAttribute('src') ?? './assets/'
  return new URL(`${source.slice(0, source.lastIndexOf('/'))}/../`, document.baseURI).href
}

/** Whether the page was opened without a server. */
export const isFile = (): boolean => location.protocol === 'file:'

/** How to get what a page that was opened as a file cannot have. */
export const fileAdvice =
  'This page was opened as a file, which lets it load nothing. In a clone of the repository, npm start serves these pages: open them there.'

/** What went wrong, as a sentence: what browsers say of a server that is gone is none. */
export function messageOf(error: unknown): string {
  if (error instanceof TypeError)
    return isFile() ? fileAdvice : 'The server of this page did not answer. Is it still there?'
  return error instanceof Error ? error.message : String(error)
}
