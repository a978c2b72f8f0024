import { expect, it } from 'vitest'
import { projectId, startChecked } from '../../../test/checked-server.ts'

const schedule = (cluster: string) => `/groups/${projectId}/clusters/${cluster}/backup/schedule`

it.each([
  ['GET', '/groups/%ff/alerts', 'orgowner', 400, ['groupId']],
  ['GET', schedule('%zz'), 'orgowner', 400, ['clusterName']],
  ['GET', '/groups/%/clusters/%C3%28/backup/schedule', 'orgowner', 400, ['groupId', 'clusterName']],
  ['GET', '/groups/%ff/alerts', null, 401, undefined],
  ['DELETE', '/groups/%ff/alerts', null, 405, undefined],
  ['GET', '/nope/%ff', null, 404, undefined],
  ['GET', `/groups/${projectId}/alerts%ff`, null, 404, undefined],
])(
  "%s %s by %s, which can't be decoded, returns %s in the order of checks",
  async (method, path, as, status, parameters) => {
    const server = await startChecked()
    const response = await server.ask(path, { method, as })
    expect({ status: response.status, parameters: response.at('parameters') }).toEqual({ status, parameters })
  },
)

it("reports every parameter that can't be decoded", async () => {
  const server = await startChecked()
  const refused = await server.ask(schedule('%zz'))
  expect(refused.at('detail')).toBe('The path parameter clusterName is not percent-encoded UTF-8.')
})
