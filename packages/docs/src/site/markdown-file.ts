/** The Markdown of a page is beside its folder: `/guides/paging.md`. */
export const markdownFile = (path: string): string =>
  path === '/' ? '/index.md' : `${path.replace(/\/$/, '')}.md`
