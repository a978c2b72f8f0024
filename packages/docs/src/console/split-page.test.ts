import { expect, test } from 'vitest'
import { splitConsolePage, withoutLogo } from './split-page.ts'

const page = [
  '<head><link rel="modulepreload" href="https://cdn.example/redoc.js" integrity="x" crossorigin="anonymous" /></head>',
  '<script>theme()</script><div id="redoc"></div>',
  '<script type="module">\nimport { hydrate } from "https://cdn.example/redoc.js";\nhydrate({"a":"<b>"})\n</script>',
].join('')

test('the page keeps no inline script and no address of another host', () => {
  const { page: split, script, theme } = splitConsolePage(page, '../redoc.js')
  expect(split).not.toContain('https://')
  expect(split).toContain('<script></script><div id="redoc">')
  expect(split).toContain('<script type="module" src="console.js"></script>')
  expect(script).toBe('import { hydrate } from \'../redoc.js\'\nhydrate({"a":"<b>"})\n')
  expect(theme).toBe('theme()\n')
})

test('a page of another make is refused, because its script would load from another host', () => {
  expect(() => splitConsolePage('<p>new renderer</p>', 'x')).toThrow('has changed')
})

test('the logo of the vendor is not fetched', () => {
  expect(withoutLogo('src="https://cdn.redoc.ly/redoc/logo-mini-full.svg"')).toMatch(/^src="data:image/)
})
