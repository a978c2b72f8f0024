import { expect, test } from 'vitest'
import type { Block, Page } from './block.ts'
import { inlineHtml, wordsOf } from './inline.ts'
import { sourceText } from './strength.ts'
import { blocksHtml } from './to-html.ts'
import { pageMarkdown } from './to-markdown.ts'

const html = (...blocks: Block[]): string => blocksHtml(blocks).map(String).join('')
const hostile = '<img src=x onerror=alert(1)>"&'

test('escapes markup in every kind of block', () => {
  const out = html(
    { kind: 'heading', level: 2, text: hostile, id: hostile },
    { kind: 'prose', markdown: hostile },
    { kind: 'code', language: 'json', text: hostile, label: hostile },
    { kind: 'table', head: [hostile], rows: [{ id: hostile, cells: [hostile] }] },
    { kind: 'cards', items: [{ title: hostile, href: hostile, text: hostile }] },
    { kind: 'callout', tone: 'bad', title: hostile, markdown: hostile },
    { kind: 'endpoint', method: hostile, prefix: hostile, path: `/${hostile}` },
    { kind: 'badges', items: [{ text: hostile, tone: 'info' }] },
  )
  expect(out).not.toContain('<img')
  expect(out.match(/&lt;img/g)?.length).toBeGreaterThan(10)
})

test('removes links to scripts', () => {
  expect(inlineHtml('[x](javascript:alert(1))')).not.toContain('<a')
})

test('escapes cells in Markdown tables', () => {
  const page: Page = {
    path: '/x/',
    title: 'X',
    description: 'About x.',
    section: 'errors',
    crumbs: [],
    blocks: [{ kind: 'table', head: ['a'], rows: [{ cells: ['`1|2`\nnext'] }] }],
  }
  expect(pageMarkdown(page)).toBe('# X\n\nAbout x.\n\n| a |\n| --- |\n| `1\\|2` next |\n')
})

test('omits the description if a text begins with it', () => {
  const page: Page = {
    path: '/x/',
    title: 'X',
    description: 'About x.',
    section: 'errors',
    crumbs: [],
    blocks: [{ kind: 'prose', markdown: 'About `x`. More of it.' }],
  }
  expect(pageMarkdown(page)).toBe('# X\n\nAbout `x`. More of it.\n')
  expect(pageMarkdown({ ...page, version: '1' })).toBe('# X\n\nVersion 1.\n\nAbout `x`. More of it.\n')
})

test('links to sections, decisions and RFCs', () => {
  expect(sourceText('4.2')).toBe('§ 4.2')
  expect(sourceText('decided: Rules inside the data')).toBe(
    '[Rules inside the data](/decisions/#rules-inside-the-data)',
  )
  expect(sourceText('RFC 7616 §3.4.2')).toBe(
    '[RFC 7616 §3.4.2](https://www.rfc-editor.org/rfc/rfc7616#section-3.4.2)',
  )
})

test('removes Markdown for descriptions and the search', () => {
  expect(wordsOf('**Use** [`x`](/y/) now.\n\n```js\ncode\n```')).toBe('Use x now.')
})

test('wraps dates in text, but not in code or addresses', () => {
  expect(inlineHtml('Since 2024-08-05, see [2023-01-01](/2023-01-01/).')).toBe(
    'Since <time>2024-08-05</time>, see <a href="/2023-01-01/"><time>2023-01-01</time></a>.',
  )
  expect(inlineHtml('`Accept: application/vnd.svc.2024-08-05+json`')).not.toContain('<time>')
  expect(inlineHtml('at 2025-11-18T09:24:51Z')).not.toContain('<time>')
})

test('labels row numbers in stacked tables', () => {
  const head = ['Move', 'From', 'To']
  const rows = [{ cells: ['1', 'A', 'B'] }]
  expect(html({ kind: 'table', head, rows, numbered: true })).toContain('<td data-label="Move">1</td>')
  expect(html({ kind: 'table', head, rows })).toContain('<td>1</td>')
})
