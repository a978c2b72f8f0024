/** Creates an element with attributes and children. Text is never parsed as markup. */
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

/** Adds line break opportunities to a name or path: after dots, underscores and slashes, and before capitals. */
export const breakable = (text: string): (Node | string)[] =>
  text
    .split(/(?<=[._/])(?=[^._/])|(?<=[a-z0-9])(?=[A-Z])/)
    .flatMap((part, at) => (at === 0 ? [part] : [element('wbr'), part]))

/** The key for the samples' values in the tab's storage. */
export const valuesKey = 'sample-values'

/** Reads and stores values, unless the browser forbids storage. */
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
      // If the browser forbids storage, the choice applies only to this page.
    }
  },
  /** Whether this tab has stored values for the samples. */
  hasValues(): boolean {
    try {
      return (sessionStorage.getItem(valuesKey)?.length ?? 0) > 2
    } catch {
      return false
    }
  },
}

/** Returns the site's root, derived from this script's address. */
export function rootOf(script: Element | null): string {
  const source = script?.getAttribute('src') ?? './assets/'
  return new URL(`${source.slice(0, source.lastIndexOf('/'))}/../`, document.baseURI).href
}

/** Returns whether the page was opened without a server. */
export const isFile = (): boolean => location.protocol === 'file:'

/** Explains how to use features that don't work in pages opened as files. */
export const fileAdvice =
  'This page was opened as a file, so it can’t load data. Run npm start in a clone of the repository and open the page there.'

/**
 * Returns an error message as a sentence. The browser's message about an unreachable server is hard to
 * understand, so this function replaces it.
 */
export function messageOf(error: unknown): string {
  if (error instanceof TypeError)
    return isFile() ? fileAdvice : 'The server did not respond. Check that it is still running.'
  return error instanceof Error ? error.message : String(error)
}
