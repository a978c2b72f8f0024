import { type html, raw } from 'hono/html'
import { inlineHtml } from './inline.ts'

/** Escaped markup. */
export type Html = ReturnType<typeof html>

/** One line of Markdown as markup. */
export const inline = (text: string): Html => raw(inlineHtml(text))
