import { loadControlDocument } from '@svc-admin/spec'
import { expect, it } from 'vitest'
import { built, textOf } from '../testing/inputs.ts'

it('shows every operation of the control interface, with its members', () => {
  const page = textOf('sandbox/index.html')
  const { paths } = loadControlDocument()
  const operations = Object.values(paths).flatMap(({ get, put, post, delete: remove }) => [
    get,
    put,
    post,
    remove,
  ])
  for (const operation of operations) {
    if (operation) expect(page).toContain(`id="${operation.operationId}"`)
  }
  for (const member of ['randomSeed', 'advanceSeconds', 'stale-nonce']) expect(page).toContain(member)
})

it('is in the menu', () => {
  const menus = [...built.files].filter(([name]) => !name.endsWith('index.html') && !name.endsWith('.md'))
  expect(menus.some(([, content]) => String(content).includes('Sandbox control'))).toBe(true)
})
