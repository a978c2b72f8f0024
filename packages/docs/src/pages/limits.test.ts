import { expect, test } from 'vitest'
import { inputs, textOf } from '../testing/inputs.ts'
import { limitText } from './limits.ts'

const { limits } = inputs.facts

test('shows limits in words instead of schema keywords', () => {
  const texts = Object.entries(limits).map(([id, limit]) => `${id}: ${limitText(limit)}`)
  expect(texts.filter((text) => /: $|minimum|maximum|Length|Items|[sS]econds `|bytes `/.test(text))).toEqual(
    [],
  )
  const { bucketName, tokenRequests } = limits
  expect(texts).toContain(`bucketName: ${bucketName?.minLength} to ${bucketName?.maxLength} characters`)
  expect(texts).toContain(`tokenRequests: at most ${tokenRequests?.maximum} in 1 minute`)
  expect(texts).toContain('body: at most 1 MiB (1,048,576 bytes) · at most 64 levels of nesting')
  expect(texts).toContain('epochSeconds: at least 1,199,145,600 (2008-01-01T00:00:00Z)')
})

test('lists the parameters, schemas and operations that a limit applies to, and no others', () => {
  const [lines, page] = [textOf('limits.md').split('\n'), textOf('limits/index.html')]
  const partOf = (id: string) => lines.find((line) => line.includes(`\`${id}\` |`)) ?? ''
  const logs = partOf('nLogs')
  expect(logs).toContain('parameter `nLogs`')
  expect(logs).toContain('/operations/listAccessLogsByCluster.md')
  expect(logs).toContain('/operations/listAccessLogsByHostname.md')
  expect(partOf('bucketName')).toContain('schema [`BucketName`]')
  const cluster = partOf('clusterName')
  expect(cluster).toContain('parameter `clusterName`')
  expect(cluster).not.toContain('parameter `groupId`')
  for (const id of Object.keys(limits)) expect(page).toContain(`<tr id="${id}">`)
  expect(page.split('id="pageNum-operations"')[1]?.split('</details>')[0]).toContain(
    '/operations/listAlerts/',
  )
})
