import { QueryClient } from '@tanstack/react-query'
import createQueryHooks from 'openapi-react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import {
  App,
  WithInfiniteQuery,
  WithMutation,
  WithQueryOptions,
  WithSuspense,
  WithUseQueries,
  WithUseQuery,
} from './app.tsx'
import { alertId, groupId, subjects } from './setup.ts'

const init = { params: { path: { groupId, alertId } } }

describe.each(subjects)('the examples of openapi-react-query run with %s', (_, create) => {
  test.each([
    ['useQuery', WithUseQuery],
    ['useSuspenseQuery', WithSuspense],
    ['queryOptions', WithQueryOptions],
    ['useQueries', WithUseQueries],
    ['useInfiniteQuery', WithInfiniteQuery],
    ['useMutation', WithMutation],
  ])('%s', async (name, Component) => {
    const { client, requests } = create()
    const $api = createQueryHooks(client)
    const queries = new QueryClient()
    const one = $api.queryOptions('get', '/groups/{groupId}/alerts/{alertId}', init)
    const { eventTypeName, status } = await queries.ensureQueryData(one)
    const expected: Record<string, string> = {
      useQuery: `<div>${eventTypeName}</div>`,
      useSuspenseQuery: `<div>${eventTypeName}</div>`,
      queryOptions: `<div>${eventTypeName}</div>`,
      useQueries: `<ul><li>${status}</li></ul>`,
      useInfiniteQuery: '<div></div>',
      useMutation: '<button type="button">Update</button>',
    }
    expect(renderToString(createElement(App, { queries, Component, $api }))).toBe(expected[name])
    expect(requests).toHaveLength(1)
  })

  test('a failed query has the error of the API', async () => {
    const $api = createQueryHooks(create().client)
    const queries = new QueryClient()
    const failed = $api.queryOptions('get', '/groups/{groupId}/alerts/{alertId}', {
      ...init,
      fetch: async () => Response.json({ errorCode: 'RESOURCE_NOT_FOUND' }, { status: 404 }),
    })
    await expect(queries.fetchQuery({ ...failed, retry: false })).rejects.toEqual({
      errorCode: 'RESOURCE_NOT_FOUND',
    })
  })
})
