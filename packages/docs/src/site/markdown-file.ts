/** Returns the path of a page's Markdown file, which is next to the page's folder, such as `/guides/paging.md`. */
export const markdownFile = (path: string): string =>
  path === '/' ? '/index.md' : `${path.replace(/\/$/, '')}.md`
