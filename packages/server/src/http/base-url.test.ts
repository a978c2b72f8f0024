import { expect, it } from 'vitest'
import { createBaseUrl } from './base-url.ts'

it.each([
  ['LocalHost', 'http://localhost:80'],
  ['例え.example', 'http://xn--r8jz45g.example:80'],
  ['::', 'http://localhost:80'],
  ['fe80::1', 'http://[fe80::1]:80'],
  ['fe80::1%eth0', 'http://[fe80::1%eth0]:80'],
])('links of a server that listens on %s are in ASCII', (host, url) => {
  expect(createBaseUrl({ publicUrl: '', host, tlsCertificate: '' }, () => 80)(undefined)).toBe(url)
})
