import { loadControlDocument } from '@svc-admin/spec'
import { expect, it } from 'vitest'
import { controlOperations } from '../model/control-document.ts'
import { textOf } from '../testing/inputs.ts'

it('shows every operation of the control interface, with its fields', () => {
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
  for (const field of ['randomSeed', 'advanceSeconds', 'stale-nonce']) expect(page).toContain(field)
})

it('shows the response, the parameters and the nested fields of every operation', () => {
  const page = textOf('sandbox/index.html')
  for (const { operation, parameters } of controlOperations) {
    const [, after = ''] = page.split(`id="${operation.operationId}"`)
    expect(after.split('<h3')[0], operation.operationId).toContain('200 response.')
    for (const { in: place, name } of parameters)
      expect(page).toContain(`id="${operation.operationId}.${place}.${name}"`)
  }
  for (const place of [
    'seed.request.clusters.tier',
    'seed.request.apiKeys.roles.role',
    'reset.request.clock.now',
    'addAccessLogs.request.entries.username',
    'setTransitions.request.*.mode',
    'listRequests.response.requests.unread',
    'errors.errorCode',
  ])
    expect(page).toContain(`id="${place}"`)
})

it('links from each collection of a seed to the schema of its resources', () => {
  const { properties = {} } = loadControlDocument().components.schemas.Seed ?? {}
  const resources = Object.entries(properties).filter(([, { items }]) => items?.['x-resource'])
  expect(resources.length).toBeGreaterThan(15)
  for (const [name, { items }] of resources)
    expect(textOf('sandbox.md')).toMatch(
      new RegExp(`\`${name}\` array of \\[\`\\w+\`\\]\\(\\S+/schemas/${items?.['x-resource']}.md\\)`),
    )
})

it('is available as a document', () => {
  expect(JSON.parse(textOf('openapi/control.json'))).toEqual(loadControlDocument())
  expect(textOf('downloads.md')).toContain('[control.json](openapi/control.json)')
})

it('is in the menu of pages for implementers', () => {
  expect(textOf('decisions/index.html')).toMatch(/<a href="\.\.\/sandbox\/">Sandbox control/)
})
