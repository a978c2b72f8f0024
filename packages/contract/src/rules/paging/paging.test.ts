import { expect, test } from 'vitest'
import type { Json } from '../../document/json.ts'
import { loadApi } from '../../engine/api.ts'
import { createRandom } from '../../engine/random.ts'
import type { RequirementId } from '../../engine/requirement.ts'
import { createTrial } from '../../engine/trial.ts'
import { demoTarget } from '../../target/demo.ts'
import { openJournal } from '../../world/journal.ts'
import { createPrerequisites } from '../../world/prerequisites.ts'
import { createWorld } from '../../world/world.ts'
import paging from './paging.ts'

const api = loadApi()
const baseUrl = 'http://127.0.0.1:1'
const refuse = () => expect.fail('no credentials are asked for')

/** What is said by the first check of a requirement of a list with these items, whose links are at an address. */
const saidOf = async (requirement: RequirementId, items: readonly Json[], linksAt = baseUrl) => {
  const target = demoTarget({ baseUrl })
  const cell = api.cell('listAlertConfigs', '2023-01-01') ?? expect.fail('no such cell')
  const world = createWorld({
    ...{ api, target, prerequisites: createPrerequisites(target), journal: openJournal(), runTag: 'test' },
    session: {
      ...{ challenge: refuse, token: refuse, forget: () => {}, waits: () => 0 },
      async send(request) {
        const asked = new URL(request.path, linksAt)
        const size = Number(asked.searchParams.get('itemsPerPage') ?? 100)
        const links = [{ rel: 'self', href: asked.href }]
        const body = JSON.stringify({ links, results: items.slice(0, size), totalCount: items.length })
        return { url: '', request, response: { status: 200, reason: '', headers: [], body }, milliseconds: 0 }
      },
    },
  })
  const rule = [paging[requirement] ?? expect.fail('no such rule')].flat()[0]
  const trial = createTrial({ world, cell, random: createRandom(1, 'x'), inputs: 1, record: [] })
  const [variant] = rule?.variants(cell) ?? []
  return variant?.check(trial).then(
    () => 'kept',
    (error: Error) => error.name,
  )
}

const createdAt = (...seconds: readonly string[]): Json[] =>
  seconds.map((second, index) => ({ id: `${9 - index}`, created: `2026-01-01T00:00:${second}Z` }))

test('things of one second are in any order, unless finer moments are shown', async () => {
  expect(await saidOf('paging.order', createdAt('01', '01', '02'))).toBe('kept')
  expect(await saidOf('paging.order', createdAt('01', '03', '02'))).toBe('Violation')
  expect(await saidOf('paging.order', createdAt('01.5', '01.5'))).toBe('Violation')
})

test('a link to another address is lenient: a proxy may stand before the one that the target file has', async () => {
  expect(await saidOf('paging.links-self', createdAt('01'))).toBe('kept')
  expect(await saidOf('paging.links-self', createdAt('01'), 'https://public.example')).toBe('Lenience')
})
