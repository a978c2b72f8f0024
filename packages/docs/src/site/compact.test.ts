import { expect, test } from 'vitest'
import { compactHtml } from './compact.ts'

test('removes quotes around values that contain no special characters', () => {
  expect(compactHtml('<a href="../x/" class="a b" title="Why">x</a>')).toBe(
    '<a href=../x/ class="a b" title=Why>x</a>',
  )
})

test('leaves the text between tags alone', () => {
  expect(compactHtml('<p>set a="b" </li></p>')).toContain('set a="b"')
})

test('removes end tags that parsers add', () => {
  expect(compactHtml('<ul><li>a</li><li><p>b</p></li></ul>')).toBe('<ul><li>a<li><p>b</ul>')
  expect(compactHtml('<table><tbody><tr><td>a</td></tr></tbody></table>')).toBe(
    '<table><tbody><tr><td>a</table>',
  )
  expect(compactHtml('<body>\n<p>a</p>\n</body>\n</html>\n')).toBe('<body>\n<p>a</p>\n\n\n')
  expect(compactHtml('<select><option>a</option></select>')).toBe('<select><option>a</select>')
})

test('leaves the end of a paragraph if text or an inline element follows', () => {
  expect(compactHtml('<p>a</p><a href="x">b</a>')).toBe('<p>a</p><a href=x>b</a>')
  expect(compactHtml('<noscript><p>a</p></noscript>')).toBe('<noscript><p>a</p></noscript>')
})

test('changes nothing in code and drawings', () => {
  const code = '<pre tabindex="0"><code><i>"a"</i></li></code></pre>'
  expect(compactHtml(code)).toBe(code)
  expect(compactHtml('<svg><path d="M1"/></svg>')).toBe('<svg><path d="M1"/></svg>')
})

test('writes quotes in texts as they are', () => {
  expect(compactHtml('<p title="it&#39;s &quot;x&quot;">it&#39;s &quot;y&quot;</p>')).toBe(
    '<p title="it\'s &quot;x&quot;">it\'s "y"</p>',
  )
})
