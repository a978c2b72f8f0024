import { type html, raw } from 'hono/html'
import { inlineHtml } from './inline.ts'

/** Markup with escaped text. */
export type Html = ReturnType<typeof html>

/** Renders one line of Markdown as markup. */
export const inline = (text: string): Html => raw(inlineHtml(text))
