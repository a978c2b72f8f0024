/** Returns the first sentence of Markdown text as plain text on a single line. */
export const firstSentence = (text: string): string =>
  (/^[\s\S]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text).replace(/\s+/g, ' ').replace(/[`*]/g, '')
