import type { PageText } from '../persistence/page-text.ts'

/**
 * A response body, which is either a string or a page from the database with a string before and after it. The page is
 * sent without being copied.
 */
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

export function textOf(body: Body): string {
  return typeof body === 'string' ? body : body.before + body.page.toString() + body.after
}
