import { extname } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.md': 'text/markdown; charset=utf-8',
}

/** Returns the content type for a file on the site, by its extension. A path that ends with a slash is a page. */
export const contentTypeOf = (path: string): string =>
  types[path.endsWith('/') ? '.html' : extname(path)] ?? 'text/plain; charset=utf-8'
