import { expect, test } from 'vitest'
import { markdownRelativeTo, relativeTo } from './site-files.ts'

test('makes addresses relative to the page', () => {
  const page = '<a href="/errors/X/">x</a><script src="/assets/a.js"></script><a href="//other/">'
  expect(relativeTo('/a/b/', page)).toBe(
    '<a href="../../errors/X/">x</a><script src="../../assets/a.js"></script><a href="//other/">',
  )
  expect(relativeTo('/', '<a href="/a/">')).toBe('<a href="a/">')
})

test('links from Markdown to the Markdown of pages, and to other files unchanged', () => {
  const text = '[a](/errors/#x) [b](/openapi/v1.0.json) [c](https://x.example/) [d](/)'
  expect(markdownRelativeTo('/a/', text)).toBe(
    '[a](errors.md#x) [b](openapi/v1.0.json) [c](https://x.example/) [d](index.md)',
  )
})
