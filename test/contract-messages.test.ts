import { demoTarget, openKit, type Selection } from '@svc-admin/contract'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mapJson, onResponse } from '../packages/contract/mutants/mutant.ts'
import { type BreakingProxy, type Interference, openProxy } from '../packages/contract/mutants/proxy.ts'
import { isObject, type Json, listAt, stringAt } from '../packages/contract/src/document/json.ts'
import { briefSelections } from './brief-selections.ts'

// The expected and the actual value must be enough to see what is wrong.

let server: RunningServer
let proxy: BreakingProxy
beforeAll(async () => {
  server = await startServer({ sandbox: true })
  proxy = await openProxy(server.url)
})
afterAll(async () => {
  await proxy.close()
  await server.stop()
})

/** The messages for a target that has a single fault. */
const told = async (how: Interference, selection: Selection): Promise<string[]> => {
  proxy.interfere(how)
  const { controlUrl = '' } = server
  const kit = await openKit({ target: demoTarget({ baseUrl: proxy.url, control: controlUrl }), selection })
  const { results } = await kit.run()
  proxy.interfere(undefined)
  return results.flatMap(({ expected, actual }) =>
    expected === undefined ? [] : [`expected ${expected}, got ${actual}`],
  )
}

/** Removes some headers, or parts of the body, from successful responses. */
const lacking = (left: { readonly headers?: RegExp; readonly body?: (body: Json) => Json }): Interference =>
  onResponse(
    ({ status }) => status < 300,
    (response) => {
      const { headers = /^/, body = (whole: Json) => whole } = left
      const kept = response.headers.filter(([name]) => headers.test(name))
      return mapJson({ ...response, headers: kept }, body)
    },
  )()

const withLinks = (change: (href: string) => string): Interference =>
  onResponse(
    ({ status }) => status === 200,
    (response) =>
      mapJson(response, (body) => {
        if (!isObject(body) || body.links === undefined) return body
        const links = listAt(body, 'links').map((link): Json => {
          const href = stringAt(link, 'href')
          return stringAt(link, 'rel') === 'next' && href !== undefined
            ? { rel: 'next', href: change(href) }
            : link
        })
        return { ...body, links }
      }),
  )()

const paged: Selection = {
  operations: ['listAlertConfigs'],
  versions: ['2023-01-01'],
  requirements: ['paging.links'],
}

test('shows which query parameters a wrong link lost', async () => {
  const [said, ...more] = await told(
    withLinks((href) => {
      const url = new URL(href)
      url.searchParams.delete('itemsPerPage')
      return url.href
    }),
    { ...paged, requirements: ['paging.links-lead'] },
  )
  expect(more).toEqual([])
  expect(said).toMatch(
    /^expected a next link to the page with the items \["[0-9a-f]{24}"\], got \S+ at http\S+, without itemsPerPage=1$/,
  )
})

test('blames the target for an invalid link', async () => {
  const said = await told(
    withLinks(() => 'http://'),
    paged,
  )
  expect(said).toEqual(['expected a URL in the next link, got http://'])
})

test('reports a link to a missing resource', async () => {
  const [said, ...more] = await told(
    withLinks((href) => href.replace('/alertConfigs', '/nothing')),
    paged,
  )
  expect(more).toEqual([])
  expect(said).toMatch(/^expected a success for the next link, http\S+\/nothing\?\S+, got status 404 /)
})

test('reports a missing header as nothing', async () => {
  const said = await told(lacking({ headers: /^(?!Pragma|Cache-Control)/i }), {
    operations: ['issueToken'],
    requirements: ['issueToken.not-cached'],
  })
  expect(said.length).toBeGreaterThan(0)
  for (const line of said) expect(line).toMatch(/, got (nothing|no such header)$/)
})

/** Reduces objects to the fields that the next request needs. */
const bare = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(bare)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => /^_?id$|Id$|^(results|content|status)$/.test(name))
  return Object.fromEntries(kept.map(([name, field]) => [name, bare(field)]))
}

test('reports a missing field as nothing', { timeout: 300_000 }, async () => {
  const said: string[] = []
  for (const selection of briefSelections) said.push(...(await told(lacking({ body: bare }), selection)))
  expect(said.length).toBeGreaterThan(100)
  expect(said.filter((line) => /undefined|NaN|\[object|, got $/.test(line))).toEqual([])
})
