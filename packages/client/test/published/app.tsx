import { type QueryClient, QueryClientProvider, useQueries, useQuery } from '@tanstack/react-query'
import type { OpenapiQueryClient } from 'openapi-react-query'
import type { ReactNode } from 'react'
import { alertId, groupId, type paths } from './setup.ts'

type Api = OpenapiQueryClient<paths>
interface Props {
  readonly $api: Api
}

/**
 * The examples from openapi-react-query's documentation (openapi-ts.dev/openapi-react-query), adapted to this
 * API's paths.
 */

export const WithUseQuery = ({ $api }: Props) => {
  const { data, error, isLoading } = $api.useQuery('get', '/groups/{groupId}/alerts/{alertId}', {
    params: {
      path: { groupId, alertId },
    },
  })

  if (error) return `An error occurred: ${error.detail}`
  if (!data || isLoading) return 'Loading...'

  return <div>{data.eventTypeName.toUpperCase()}</div>
}

export const WithSuspense = ({ $api }: Props) => {
  const { data } = $api.useSuspenseQuery('get', '/groups/{groupId}/alerts/{alertId}', {
    params: {
      path: { groupId, alertId },
    },
  })

  return <div>{data.eventTypeName}</div>
}

export const WithQueryOptions = ({ $api }: Props) => {
  const { data, error, isLoading } = useQuery(
    $api.queryOptions('get', '/groups/{groupId}/alerts/{alertId}', {
      params: {
        path: { groupId, alertId },
      },
    }),
  )

  if (error) return `An error occurred: ${error.detail}`
  if (!data || isLoading) return 'Loading...'

  return <div>{data.eventTypeName}</div>
}

export const useAlertsById = ($api: Api, alertIds: readonly string[]) =>
  useQueries({
    queries: alertIds.map((alertId) =>
      $api.queryOptions('get', '/groups/{groupId}/alerts/{alertId}', {
        params: {
          path: { groupId, alertId },
        },
      }),
    ),
  })

export const WithUseQueries = ({ $api }: Props) => (
  <ul>
    {useAlertsById($api, [alertId]).map(({ data }) => (
      <li key={data?.id}>{data?.status}</li>
    ))}
  </ul>
)

export const WithInfiniteQuery = ({ $api }: Props) => {
  const { data, fetchNextPage, hasNextPage, isFetching } = $api.useInfiniteQuery(
    'get',
    '/groups/{groupId}/alerts',
    {
      params: {
        path: { groupId },
        query: {
          itemsPerPage: 10,
        },
      },
    },
    {
      getNextPageParam: (_lastPage, pages) => pages.length + 1,
      initialPageParam: 1,
      pageParamName: 'pageNum',
    },
  )

  return (
    <div>
      {data?.pages.map((page) => (
        <div key={page.links[0]?.href}>
          {page.results?.map((alert) => (
            <div key={alert.id}>{alert.eventTypeName}</div>
          ))}
        </div>
      ))}
      {hasNextPage && (
        <button type="button" onClick={() => fetchNextPage()} disabled={isFetching}>
          {isFetching ? 'Loading...' : 'Load More'}
        </button>
      )}
    </div>
  )
}

export const WithMutation = ({ $api }: Props) => {
  const { mutate } = $api.useMutation('patch', '/groups/{groupId}/alerts/{alertId}')

  return (
    <button
      type="button"
      onClick={() =>
        mutate({
          params: { path: { groupId, alertId } },
          body: { acknowledgedUntil: '2026-12-01T00:00:00Z' },
        })
      }
    >
      Update
    </button>
  )
}

interface AppProps extends Props {
  readonly queries: QueryClient
  readonly Component: (props: Props) => ReactNode
}

export const App = ({ queries, Component, $api }: AppProps) => (
  <QueryClientProvider client={queries}>
    <Component $api={$api} />
  </QueryClientProvider>
)
