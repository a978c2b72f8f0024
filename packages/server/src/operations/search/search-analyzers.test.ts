import { describe, expect, it } from 'vitest'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'

const on = (name: string) => `/groups/${projectId}/clusters/${name}/fts/analyzers`
const analyzers = on('orders-eu')

const put = (server: CheckedServer, json: unknown, path = analyzers) =>
  server.ask(path, { method: 'PUT', json })
const named = (name: unknown) => ({ name, tokenizer: { type: 'standard' } })

describe('the analyzers of a cluster', () => {
  it('are a bare array, which is empty by default', async () => {
    const server = await startChecked()
    expect((await server.ask(analyzers)).body).toMatchObject([
      { name: 'swedishNames' },
      { name: 'trackingNumbers' },
    ])
    expect((await server.askV1(on('orders-global'))).body).toEqual([])
  })

  it('are replaced as a whole, including unknown fields', async () => {
    const server = await startChecked()
    const sent = [
      {
        name: 'mine',
        tokenizer: { type: 'later', size: 3 },
        charFilters: [
          { type: 'htmlStrip', ignoredTags: ['a'] },
          { type: 'persian', later: 1 },
        ],
        tokenFilters: [{ type: 'nGram', minGram: 1, maxGram: 2, later: 1 }],
        later: 1,
      },
      named('yours'),
    ]
    const stored = await put(server, sent)
    expect([stored.status, stored.body]).toEqual([200, sent])
    expect((await server.askV1(analyzers)).body).toEqual(sent)
    expect((await put(server, [])).body).toEqual([])
    expect((await server.ask(analyzers)).body).toEqual([])
  })

  it('must have different names, or nothing changes', async () => {
    const server = await startChecked()
    const refused = await put(server, [named('a'), named('b'), named('a')])
    expect(refused.body).toMatchObject({ error: 409, errorCode: 'DUPLICATE_NAME', parameters: ['/2/name'] })
    expect((await server.ask(analyzers)).at(0, 'name')).toBe('swedishNames')
  })

  it.each(['lucene.mine', 'builtin.mine', 'svcd.mine', ''])("can't be named %j", async (name) => {
    const server = await startChecked()
    const refused = await put(server, [named(name)])
    expect(refused.body).toMatchObject({ error: 400, parameters: ['/0/name'] })
    if (name !== '') expect(refused.at('detail')).toMatch(/can't start with a prefix/)
  })

  it.each(['lucenemine', 'my.lucene.', 'Lucene.mine'])('can be named %j', async (name) => {
    const server = await startChecked()
    expect((await put(server, [named(name)])).status).toBe(200)
  })

  it.each([
    ['/0/name', [{ tokenizer: {} }]],
    ['/0/tokenizer', [{ name: 'a' }]],
  ])('require %s', async (pointer, sent) => {
    const server = await startChecked()
    expect((await put(server, sent)).body).toMatchObject({ error: 400, parameters: [pointer] })
  })

  it.each(['charFilters', 'tokenFilters'])("can't have %s of an unknown type", async (field) => {
    const server = await startChecked()
    expect((await put(server, [{ ...named('a'), [field]: [{ type: 'unheard' }] }])).status).toBe(400)
  })

  it('require a cluster with Search', async () => {
    const server = await startChecked()
    for (const [name, code] of [
      ['orders-archive', 'TIER_NOT_SUPPORTED'],
      ['nowhere', 'RESOURCE_NOT_FOUND'],
    ] as const) {
      for (const refused of [await server.ask(on(name)), await put(server, [], on(name))]) {
        expect(refused.at('errorCode')).toBe(code)
        expect(refused.at('parameters')).toEqual(code === 'TIER_NOT_SUPPORTED' ? ['clusterName'] : undefined)
      }
    }
  })
})
