import { expect, test } from 'vitest'
import { type JsonObject, listAt, stringAt } from '../document/json.ts'
import { loadApi } from '../model/api.ts'
import { ownCluster, ownOrganization, ownProject } from '../resources/own-resources.ts'
import { openJournal } from '../run-context/journal.ts'
import { createPrerequisites } from '../run-context/prerequisites.ts'
import { createRunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'
import { givenBody, onTarget } from './given.ts'

const runTag = 'contract-of-this-test'
const api = loadApi()

/** Creates a run context that can seed resources. Returns it with the list of seeded resources. */
const seeding = () => {
  const seeds: JsonObject[] = []
  const refuse = () => expect.fail('nothing is sent')
  const target = demoTarget({ baseUrl: 'http://127.0.0.1:1' })
  const context = createRunContext({
    api,
    target,
    runTag,
    journal: openJournal(),
    session: { send: refuse, challenge: refuse, token: refuse, forget: () => {}, waits: () => 0 },
    prerequisites: {
      ...createPrerequisites(target),
      canSeed: true,
      seed: async (content) => {
        seeds.push(content)
      },
    },
  })
  return { context, seeds }
}

test('organizations, projects and keys that a run seeds have its tag in their names', async () => {
  const { context, seeds } = seeding()
  await ownOrganization(context)
  await ownProject(context)
  await ownCluster(context)
  const names = (collection: string, field: string) =>
    seeds.flatMap((content) => listAt(content, collection)).map((row) => stringAt(row, field))
  const called = [names('organizations', 'name'), names('projects', 'name'), names('apiKeys', 'label')]
  for (const all of called) {
    expect(all.length).toBeGreaterThan(1)
    expect(all.filter((name) => !name?.startsWith(runTag))).toEqual([])
  }
})

test('notification addresses of a run contain its tag, in every version', () => {
  const { context } = seeding()
  const creating = api.cells.filter(({ operation }) => /^(create|update)AlertConfig$/.test(operation.id))
  expect(creating.length).toBeGreaterThan(2)
  const bodies = creating.flatMap((cell) => [
    givenBody(context, cell),
    ...(cell.definition.body?.examples ?? []).map((example) => onTarget(context, example)),
  ])
  const addresses = bodies.flatMap((body) => JSON.stringify(body).match(/"[^"]+@[^"]+"/g) ?? [])
  expect(addresses.length).toBeGreaterThanOrEqual(creating.length)
  expect(new Set(addresses)).toEqual(new Set([`"${runTag}@contract.example"`]))
})

test("texts of a run's snapshots, exports and acknowledgements contain its tag", () => {
  const { context } = seeding()
  const remarkable = api.cells.filter(({ operation }) =>
    ['takeSnapshot', 'createExportJob', 'acknowledgeAlert'].includes(operation.id),
  )
  expect(remarkable.length).toBeGreaterThan(5)
  for (const cell of remarkable) {
    const text = JSON.stringify(givenBody(context, cell))
    expect(text.split(`(${runTag})`)).toHaveLength(2)
    const { validator } = cell.version
    expect(
      validator.check(cell.definition.body?.schema.pointer ?? '', givenBody(context, cell) ?? null),
    ).toEqual([])
  }
})
