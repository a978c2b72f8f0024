import { type html, raw } from 'hono/html'
import { inlineHtml } from './inline.ts'

/** HTML in which all text has been escaped. */
export type Html = ReturnType<typeof html>

/** Renders one line of Markdown as HTML. */
export const inline = (text: string): Html => raw(inlineHtml(text))
