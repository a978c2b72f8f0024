import { createOpenapiClient } from '@svc-admin/client/openapi-fetch'
import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import createQueryHooks from 'openapi-react-query'
import { createRoot } from 'react-dom/client'

const { groupId = '' } = document.body.dataset
// The page's server adds the credentials because they don't belong in a browser.
const $api = createQueryHooks(createOpenapiClient({ baseUrl: location.origin, version: '2025-03-12' }))
const oneDay = 24 * 60 * 60 * 1000

function Alerts() {
  const queries = useQueryClient()
  const { data, error, isPending } = $api.useQuery('get', '/groups/{groupId}/alerts', {
    params: { path: { groupId }, query: { itemsPerPage: 50 } },
  })
  const acknowledge = $api.useMutation('patch', '/groups/{groupId}/alerts/{alertId}', {
    onSuccess: () => queries.invalidateQueries({ queryKey: ['get', '/groups/{groupId}/alerts'] }),
  })
  if (isPending) return <p>Loading alerts…</p>
  const problem = error ?? acknowledge.error
  return (
    <>
      <h1>Alerts</h1>
      {problem && <p role="alert">{problem.detail ?? 'The request failed.'}</p>}
      <table>
        <thead>
          <tr>
            <th scope="col">Created</th>
            <th scope="col">Event</th>
            <th scope="col">Status</th>
            <th scope="col">Acknowledged until</th>
          </tr>
        </thead>
        <tbody>
          {data?.results?.map(({ id, created, eventTypeName, status, acknowledgedUntil }) => (
            <tr key={id} data-alert={id}>
              <td>{created}</td>
              <td>{eventTypeName}</td>
              <td>{status}</td>
              <td>
                {acknowledgedUntil ?? (
                  <button
                    type="button"
                    disabled={acknowledge.isPending}
                    onClick={() =>
                      acknowledge.mutate({
                        params: { path: { groupId, alertId: id } },
                        body: { acknowledgedUntil: new Date(Date.now() + oneDay).toISOString() },
                      })
                    }
                  >
                    Acknowledge for a day
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient()}>
      <Alerts />
    </QueryClientProvider>,
  )
}
