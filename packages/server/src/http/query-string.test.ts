import { describe, expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { Problem } from '../domain/problem.ts'
import { parseQuery } from './query-string.ts'

function refusalOf(query: string) {
  try {
    return [...parseQuery(query)]
  } catch (error) {
    if (error instanceof Problem) return { detail: error.message, parameters: error.parameters }
    throw error
  }
}

describe('a query', () => {
  it.each([
    ['', []],
    ['&&', []],
    [
      'a=1&b',
      [
        ['a', '1'],
        ['b', ''],
      ],
    ],
    ['a=b=c+d%20%C3%A4', [['a', 'b=c d ä']]],
  ])('%s is parsed', (query, pairs) => expect(refusalOf(query)).toEqual(pairs))

  it.each([
    ['status=%ff', ['status'], 'The value of the query parameter status is not percent-encoded UTF-8.'],
    ['%ff=1', ['%ff'], 'The query contains %ff, which is not percent-encoded UTF-8.'],
    ['=1', ['query'], 'The query contains a parameter without a name.'],
    ['a=1&a=2&a=3', ['a'], 'The query parameter a appears more than once.'],
    [
      'a=1&a=2&b=%&b=2',
      ['a', 'b'],
      'The query parameter a appears more than once. The value of the query parameter b is not percent-encoded UTF-8.',
    ],
  ])('%s is rejected, with each invalid parameter named', (query, parameters, detail) => {
    expect(refusalOf(query)).toEqual({ detail, parameters })
  })
})

describe('a query of the API', () => {
  it.each([
    [
      'wrong=1&worse=2&status=OPEN',
      ['wrong', 'worse'],
      'The operation has no query parameter wrong. The operation has no query parameter worse.',
    ],
    ['status=%ff', ['status'], 'The value of the query parameter status is not percent-encoded UTF-8.'],
    ['=1', ['query'], 'The query contains a parameter without a name.'],
    [`${'n'.repeat(200)}=1`, ['n'.repeat(200)], `The operation has no query parameter ${'n'.repeat(100)}.`],
  ])('%s is rejected, with all invalid parameters named', async (query, parameters, detail) => {
    const server = await startChecked()
    const refused = await server.ask(`/groups/${projectId}/alerts?${query}`)
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ detail, parameters })
  })

  it('lists the values of an ignored flag together with unknown parameters', async () => {
    const server = await startChecked()
    const refused = await server.ask(`/groups/${projectId}/backup/exportBuckets/${projectId}?pretty=1&wrong`)
    expect(refused.at('parameters')).toEqual(['pretty', 'wrong'])
  })
})
