import { bruToEnvJsonV2, bruToJsonV2, collectionBruToJson } from '@usebruno/lang'
import { strFromU8, unzipSync } from 'fflate'
import { Collection, type Item } from 'postman-collection'
import { expect, test } from 'vitest'
import { built, model, textOf } from '../testing/inputs.ts'

const { versions, newest } = model

test.each(versions.map(({ id }) => id))('Postman opens the collection of %s with every operation', (id) => {
  const version = versions.find((each) => each.id === id)
  const collection = new Collection(JSON.parse(textOf(`collections/postman-${id}.json`)))
  const items: Item[] = []
  collection.forEachItem((item) => items.push(item))
  const called = items.map(({ request }) => `${request.method} ${request.url.getPath({ unresolved: true })}`)
  const wanted = version?.operations.map(
    ({ method, prefix, path }) => `${method.toUpperCase()} ${prefix}${path.replace(/\{([^}]+)\}/g, ':$1')}`,
  )
  expect(called.sort()).toEqual(wanted?.sort())
  for (const { name, request } of items)
    expect(request.headers.get('Accept'), name).toBe(
      name === 'Issue an access token' ? 'application/json' : version?.fact.mediaType,
    )
})

test('sends the body, the credentials and the parameters in Postman', () => {
  const collection = new Collection(JSON.parse(textOf(`collections/postman-${newest.id}.json`)))
  const named = (name: string): Item => {
    let found: Item | undefined
    collection.forEachItem((item) => {
      if (item.name === name) found = item
    })
    if (!found) throw new Error(`no ${name}`)
    return found
  }
  const { request } = named('Create an alert configuration')
  expect(JSON.parse(request.body?.raw ?? '')).toHaveProperty('eventTypeName')
  expect(request.url.getPath()).toMatch(/^\/api\/svc\/v2\/groups\/[0-9a-f]{24}\/alertConfigs$/)
  // Optional parameters are listed but not sent.
  expect(request.url.query.has('envelope')).toBe(true)
  expect(request.url.getQueryString({ ignoreDisabled: true })).toBe('')
  expect(named('Issue an access token').getAuth()?.type).toBe('basic')
  expect(named('Issue an access token').request.body?.urlencoded?.get('grant_type')).toBe(
    'client_credentials',
  )
  expect(collection.auth?.type).toBe('digest')
})

test.each(versions.map(({ id }) => id))('Bruno reads every file of the collection of %s', (id) => {
  const version = versions.find((each) => each.id === id)
  const archive = built.files.get(`collections/bruno-${id}.zip`)
  const files = Object.entries(unzipSync(archive as Uint8Array)).map(
    ([name, bytes]) => [name, strFromU8(bytes)] as const,
  )
  const texts = new Map(files)
  expect(JSON.parse(texts.get('bruno.json') ?? '')).toMatchObject({ version: '1', type: 'collection' })
  expect(collectionBruToJson(texts.get('collection.bru') ?? '')).toMatchObject({
    auth: { mode: 'digest', digest: { username: '{{publicKey}}', password: '{{privateKey}}' } },
  })
  expect(bruToEnvJsonV2(texts.get('environments/default.bru') ?? '').variables).toContainEqual(
    expect.objectContaining({ name: 'baseUrl', value: 'https://svc.example' }),
  )
  const requests = files.filter(([name]) => name.includes('/') && !name.startsWith('environments/'))
  const read = requests.map(([, text]) => bruToJsonV2(text))
  expect(read.map(({ meta }) => meta.name).sort()).toEqual(
    version?.operations.map(({ operation }) => operation.summary).sort(),
  )
  for (const { http, headers, body, meta } of read) {
    expect(http.url, meta.name).toMatch(/^\{\{baseUrl\}\}\/api\//)
    expect(headers.map(({ name }) => name)).toContain('Accept')
    if (http.body === 'json') expect(() => JSON.parse(body.json), meta.name).not.toThrow()
  }
})
