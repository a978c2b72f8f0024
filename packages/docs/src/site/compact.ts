/** Matches elements whose content must not change, including whitespace and quotes. */
const verbatim = /(<pre\b[\s\S]*?<\/pre>|<script\b[\s\S]*?<\/script>|<svg\b[\s\S]*?<\/svg>)/

const quoted = /(\s[a-z-]+)="([^\s"'=<>`]+)"(?=[\s>])/g

/** Matches end tags that HTML parsers add if they are missing. A paragraph ends automatically before these elements. */
const optional = [
  /<\/(?:html|body|li|dt|dd|tr|th|td|tbody|thead|option)>/g,
  /<\/p>(?=\s*(?:<(?:p|div|ul|ol|dl|table|pre|figure|fieldset|details|h[1-6])\b|<\/(?:div|li|td|dd|details|article|blockquote)>))/g,
]

/**
 * Makes HTML smaller by removing quotes, end tags and escapes that HTML doesn't require. Browsers still create the same
 * document.
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
  // Remove the end tags of paragraphs first, because their pattern looks for the end tags that follow them.
  const open = [...optional].reverse().reduce((rest, pattern) => rest.replace(pattern, ''), text)
  return open.replace(/<[a-z][^>]*>/g, (tag) => tag.replace(quoted, '$1=$2'))
}
