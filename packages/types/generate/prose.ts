import { namedFields } from '@svc-admin/spec'

/**
 * A document with placeholders instead of its descriptions, and the descriptions themselves. Declarations that are
 * generated from this document stay the same if only the descriptions change.
 */
export interface WithoutProse {
  readonly document: unknown
  readonly texts: readonly string[]
}

const mark = (index: number) => `\u00a7${index}\u00a7`
const marks = /\u00a7(\d+)\u00a7/g

/** Fields that contain API data. A property such as `description` inside these fields isn't documentation. */
const data = new Set(['example', 'examples', 'default', 'const', 'enum'])

/**
 * Replaces summaries and descriptions with placeholders. Texts that contain a line break or the end of a comment aren't
 * replaced, because they would look different inside a comment.
 */
export function takeProse(document: unknown): WithoutProse {
  const texts: string[] = []
  const take = (text: string): string =>
    /\n|\*\/|\u00a7/.test(text) ? text : mark(texts.push(text.trim()) - 1)
  const visit = (value: unknown, isMap: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, false))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => {
        if (isMap) return [key, visit(child, false)]
        if (data.has(key)) return [key, child]
        if ((key === 'summary' || key === 'description') && typeof child === 'string' && child !== '')
          return [key, take(child)]
        return [key, visit(child, namedFields.has(key))]
      }),
    )
  }
  return { document: visit(document, false), texts }
}

export function putProse(declarations: string, texts: readonly string[]): string {
  return declarations.replaceAll(marks, (found, index: string) => texts[Number(index)] ?? found)
}
