import { expect, test } from 'vitest'
import { siteModel } from '../model/site-model.ts'
import { inputs, model } from '../testing/inputs.ts'
import { guidePages } from './guides.ts'

const pagesOf = (text: string) => guidePages(siteModel({ ...inputs, guides: [{ slug: 'mine', text }] }))

test('a guide takes facts from the specification', () => {
  const { pages } = pagesOf('# Mine\n\nAt most {{limits.itemsPerPage.maximum}} items.\n')
  expect(pages[1]?.blocks).toEqual([
    { kind: 'prose', markdown: `At most ${inputs.facts.limits.itemsPerPage?.maximum} items.` },
  ])
})

test('a guide takes bodies from the newest document', () => {
  const { pages } = pagesOf('# Mine\n\n```json\n{{newest.requests.updateCustomDns}}\n```\n')
  expect(pages[1]?.blocks).toEqual([{ kind: 'code', language: 'json', text: '{\n  "enabled": false\n}' }])
})

test('a fact of several values is a list of them', () => {
  const { pages } = pagesOf('# Mine\n\nNot on {{limits.tiersWithoutAccessHistory.values}}.\n')
  expect(pages[1]?.blocks).toEqual([{ kind: 'prose', markdown: 'Not on M0, M2, M5.' }])
})

test('a fact that does not exist fails the build', () => {
  expect(() => pagesOf('# Mine\n\n{{limits.nothing.maximum}}\n')).toThrow(
    'mine names the fact limits.nothing.maximum',
  )
})

test('names lead to their pages, and unknown ones are reported', () => {
  const { pages, unknown } = pagesOf('# Mine\n\n[](error:RATE_LIMITED) and [](op:noSuchOperation).\n')
  expect(pages[1]?.blocks).toEqual([
    { kind: 'prose', markdown: '[`RATE_LIMITED`](/errors/RATE_LIMITED/) and `noSuchOperation`.' },
  ])
  expect(unknown).toEqual(['mine: op:noSuchOperation'])
})

test('every guide has a title and a first sentence', () => {
  for (const { title, description } of guidePages(model).pages) {
    expect(title.length).toBeGreaterThan(3)
    expect(description).toMatch(/[.!?]$/)
  }
})

test('the guide on authentication lists every variable that guides take from the environment', () => {
  const used = inputs.guides.flatMap(({ text }) => text.match(/\$SVC_[A-Z_]+/g) ?? [])
  const { text = '' } = inputs.guides.find(({ slug }) => slug === 'authentication') ?? {}
  const listed = text.split('\n').filter((line) => line.startsWith('| `SVC_'))
  expect([...new Set(used)].filter((name) => !listed.join().includes(`\`${name.slice(1)}\``))).toEqual([])
  expect(used.length).toBeGreaterThan(3)
})

test('a guide on an operation tells from which date on the same call comes to something else', () => {
  const behaviours = inputs.changelog.flatMap(({ changes }) =>
    changes.filter(({ rule }) => rule.startsWith('behaviour-')),
  )
  const sinceOf = (text: string) => inputs.requirements.find((row) => text.startsWith(row.text))?.since
  const untold = behaviours.filter(({ operations, text }) =>
    operations.some(
      (id) =>
        !inputs.guides.some(
          (guide) => guide.text.includes(`(op:${id})`) && guide.text.includes(`from ${sinceOf(text)} on`),
        ),
    ),
  )
  expect(untold).toEqual([])
  expect(behaviours.length).toBeGreaterThan(0)
})
