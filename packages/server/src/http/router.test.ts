import { expect, it } from 'vitest'
import { routesOf } from './route-table.ts'
import { createRouter } from './router.ts'

const found = (...asked: readonly (readonly [method: string, path: string])[]) => {
  const route = createRouter(routesOf())
  return asked.map(([method, path]) => {
    const routed = route(method, path)
    return routed?.kind === 'route' ? [routed.route.row.id, routed.path.groupId] : routed?.kind
  })
}

it('finds each path by its method, in any order and repeatedly', () => {
  const path = '/api/svc/v2/groups/1/alertConfigs'
  const asked = [
    ['GET', path],
    ['POST', path],
    ['GET', path],
    ['HEAD', path],
    ['POST', path],
    ['DELETE', path],
    ['OPTIONS', path],
    ['GET', '/api/svc/v2/nothing'],
  ] as const
  const list = ['listAlertConfigs', '1']
  const create = ['createAlertConfig', '1']
  expect(found(...asked)).toEqual([list, create, list, list, create, 'refused', 'options', undefined])
})

it('finds every path again after cache eviction', () => {
  const paths = Array.from({ length: 1500 }, (_, group) => `/api/svc/v2/groups/${group}/alertConfigs`)
  const expected = paths.map((_, group) => ['listAlertConfigs', String(group)])
  const asked = [...paths, ...paths].map((path) => ['GET', path] as const)
  expect(found(...asked)).toEqual([...expected, ...expected])
})
