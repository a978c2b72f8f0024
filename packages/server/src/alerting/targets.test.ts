import { expect, it } from 'vitest'
import { targetsOf } from './targets.ts'

const sent = ['"abc"', '5', '-1', '2.5', '1e300', 'null', 'true', '[]', '{}']

it.each(sent)('the minutes of a notification are integers of at least 0: %s', (value) => {
  const [target] = targetsOf(
    JSON.parse(`[{"typeName":"PIGEON","notifierId":${value},"delayMin":${value},"intervalMin":${value}}]`),
  )
  const minutes = { '5': 5, '2.5': 2, '1e300': 2 ** 31 - 1 }[value] ?? 0
  expect(target).toMatchObject({ typeName: 'PIGEON', delayMin: minutes, intervalMin: minutes })
  expect(targetsOf(JSON.parse(`[${value}]`)).length).toBeLessThanOrEqual(1)
})
