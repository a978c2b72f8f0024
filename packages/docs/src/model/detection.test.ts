import { expect, test } from 'vitest'
import { requirementPages } from '../pages/requirements.ts'
import { inputs } from '../testing/inputs.ts'
import { readDetection } from './detection.ts'
import { siteModel } from './site-model.ts'

const report = {
  format: 'svc-admin-contract-detection/1',
  startedAt: '2026-11-26T08:00:00.000Z',
  seed: 7,
  mutants: 500,
  found: 490,
  requirements: { 'paging.total-count': { mutants: 5, found: 4 } },
}

test('the pages of requirements show how many mutants the kit found', () => {
  const pages = requirementPages(siteModel(inputs), undefined, readDetection(report))
  const [overview, ...areas] = pages.map((page) => JSON.stringify(page))
  expect(overview).toContain('490 of 500')
  const area = areas.find((page) => page.includes('"paging.total-count"'))
  expect(area).toContain('"4 of 5"')
  expect(area).toContain('"Mutants found"')
})

test('without a report, the pages have no column for it', () => {
  const pages = requirementPages(siteModel(inputs), undefined, undefined)
  expect(JSON.stringify(pages)).not.toContain('Mutants found')
})

test('another file is rejected', () => {
  expect(() => readDetection({ format: 'svc-admin-contract-report/3' })).toThrow(
    'not a report about the conformance kit’s mutants',
  )
})
