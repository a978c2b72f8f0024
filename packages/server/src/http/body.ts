import type { PageText } from '../persistence/page-text.ts'

/** The body of an answer: a text, or a page as the database wrote it between two texts, which is not copied. */
export type Body = string | PageBody

export interface PageBody {
  readonly before: string
  readonly page: PageText['text']
  readonly after: string
}

export function lengthOf(body: Body): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return Buffer.byteLength(body.before) + body.page.length + Buffer.byteLength(body.after)
}

/** The whole body as one text. */
export function textOf(body: Body): string {
  return typeof body === 'string' ? body : body.before + body.page.toString() + body.after
}
