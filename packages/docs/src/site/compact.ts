/** Matches elements in which white space and quotes are part of the content. */
const verbatim = /(<pre\b[\s\S]*?<\/pre>|<script\b[\s\S]*?<\/script>|<svg\b[\s\S]*?<\/svg>)/

const quoted = /(\s[a-z-]+)="([^\s"'=<>`]+)"(?=[\s>])/g

/** Matches end tags that an HTML parser adds itself. A paragraph also ends at the start of these elements. */
const optional = [
  /<\/(?:li|dt|dd|tr|th|td|tbody|thead)>/g,
  /<\/p>(?=\s*(?:<(?:p|div|ul|ol|dl|table|pre|figure|fieldset|details|h[1-6])\b|<\/(?:div|li|td|dd|details|article|blockquote)>))/g,
]

/**
 * Removes quotes, end tags and escapes that HTML doesn't require. The document stays the same.
 *
 * See https://html.spec.whatwg.org/multipage/syntax.html#optional-tags
 */
export const compactHtml = (html: string): string =>
  html
    .split(verbatim)
    .map((part, at) => (at % 2 === 1 ? part : compacted(part)))
    .join('')

const compacted = (part: string): string => {
  const text = part.replaceAll('&#39;', "'").replace(/&quot;(?=[^<>]*<)/g, '"')
  // The end tags of paragraphs are removed first because the end tags after them may be removed next.
  const open = [...optional].reverse().reduce((rest, pattern) => rest.replace(pattern, ''), text)
  return open.replace(/<[a-z][^>]*>/g, (tag) => tag.replace(quoted, '$1=$2'))
}
