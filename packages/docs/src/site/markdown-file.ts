/** Returns the path of a page's Markdown file, such as `/guides/paging.md` for the page `/guides/paging/`. */
export const markdownFile = (path: string): string =>
  path === '/' ? '/index.md' : `${path.replace(/\/$/, '')}.md`
