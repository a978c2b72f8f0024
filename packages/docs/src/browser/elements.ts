/** Creates an element with attributes and children. Strings are inserted as text, so they are never parsed as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value)
  created.append(...children)
  return created
}

/** Allows line breaks in a name or path after dots, underscores and slashes, and before capital letters. */
export const breakable = (text: string): (Node | string)[] =>
  text
    .split(/(?<=[._/])(?=[^._/])|(?<=[a-z0-9])(?=[A-Z])/)
    .flatMap((part, at) => (at === 0 ? [part] : [element('wbr'), part]))

/** The session storage key for the sample values that the reader entered. */
export const valuesKey = 'sample-values'

/**
 * Reads and stores values in the browser. If the browser blocks storage, reads return nothing and writes have no
 * effect.
 */
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
      // If the browser blocks storage, the choice applies only to this page.
    }
  },
  /** Returns whether the reader has entered values for the samples in this tab. */
  hasValues(): boolean {
    try {
      return (sessionStorage.getItem(valuesKey)?.length ?? 0) > 2
    } catch {
      return false
    }
  },
}

/** Returns the address of the site's root, derived from the address of a script. */
export function rootOf(script: Element | null): string {
  const source = script?.getAttribute('src') ?? './assets/'
  return new URL(`${source.slice(0, source.lastIndexOf('/'))}/../`, document.baseURI).href
}

/** Returns whether the reader opened the page as a file instead of from a server. */
export const isFile = (): boolean => location.protocol === 'file:'

/** A message for features that don't work on pages opened as files. */
export const fileAdvice =
  'This page was opened as a file, so it can’t load data. Run npm start in a clone of the repository and open the page there.'

/** Returns an error message as a sentence. Replaces the browser's confusing message for unreachable servers. */
export function messageOf(error: unknown): string {
  if (error instanceof TypeError)
    return isFile() ? fileAdvice : 'The server did not respond. Check that it is still running.'
  return error instanceof Error ? error.message : String(error)
}
