import { expect, test } from 'vitest'
import { siteModel } from '../model/site-model.ts'
import { inputs, model } from '../testing/inputs.ts'
import { guidePages } from './guides.ts'

const pagesOf = (text: string) => guidePages(siteModel({ ...inputs, guides: [{ slug: 'mine', text }] }))

test('inserts facts of the specification', () => {
  const { pages } = pagesOf('# Mine\n\nAt most {{limits.itemsPerPage.maximum}} items.\n')
  expect(pages[1]?.blocks).toEqual([
    { kind: 'prose', markdown: `At most ${inputs.facts.limits.itemsPerPage?.maximum} items.` },
  ])
})

test('inserts request bodies of the newest document', () => {
  const { pages } = pagesOf('# Mine\n\n```json\n{{newest.requests.updateCustomDns}}\n```\n')
  expect(pages[1]?.blocks).toEqual([{ kind: 'code', language: 'json', text: '{\n  "enabled": false\n}' }])
})

test('inserts responses and their media types', () => {
  const { pages } = pagesOf(
    '# Mine\n\n{{newest.responses.getCustomDns}} {{newest.responseTypes.getCustomDns}}\n',
  )
  const [block] = pages[1]?.blocks ?? []
  expect(block).toMatchObject({
    markdown: expect.stringMatching(/^\{\n {2}"enabled": \w+[\s\S]*\} application\/vnd/),
  })
})

test('inserts a table of the error codes for a status', () => {
  const { pages, unknown } = pagesOf('# Mine\n\n{{errorTables.409}}\n')
  const { errorCodes } = inputs.facts
  const expected = Object.keys(errorCodes).filter((name) => errorCodes[name]?.status === 409)
  const [block] = pages[1]?.blocks ?? []
  const text = block?.kind === 'prose' ? block.markdown : ''
  expect(expected.length).toBeGreaterThan(3)
  expect([...text.matchAll(/\/errors\/(\w+)\//g)].map(([, name]) => name)).toEqual(expected)
  expect(unknown).toEqual([])
})

test('joins the values of a fact', () => {
  const { pages } = pagesOf('# Mine\n\nNot on {{limits.tiersWithoutAccessHistory.values}}.\n')
  expect(pages[1]?.blocks).toEqual([{ kind: 'prose', markdown: 'Not on M0, M2, M5.' }])
})

test('throws for an unknown fact', () => {
  expect(() => pagesOf('# Mine\n\n{{limits.nothing.maximum}}\n')).toThrow(
    'The guide mine refers to an unknown fact: limits.nothing.maximum',
  )
})

test('links names to their pages, and reports unknown ones', () => {
  const { pages, unknown } = pagesOf('# Mine\n\n[](error:RATE_LIMITED) and [](op:noSuchOperation).\n')
  expect(pages[1]?.blocks).toEqual([
    { kind: 'prose', markdown: '[`RATE_LIMITED`](/errors/RATE_LIMITED/) and `noSuchOperation`.' },
  ])
  expect(unknown).toEqual(['mine: op:noSuchOperation'])
})

test('has a title and a first sentence for every guide', () => {
  for (const { title, description } of guidePages(model).pages) {
    expect(title.length).toBeGreaterThan(3)
    expect(description).toMatch(/[.!?]$/)
  }
})

test('lists every environment variable of the guides under authentication', () => {
  const used = inputs.guides.flatMap(({ text }) => text.match(/\$SVC_[A-Z_]+/g) ?? [])
  const { text = '' } = inputs.guides.find(({ slug }) => slug === 'authentication') ?? {}
  const listed = text.split('\n').filter((line) => line.startsWith('| `SVC_'))
  expect([...new Set(used)].filter((name) => !listed.join().includes(`\`${name.slice(1)}\``))).toEqual([])
  expect(used.length).toBeGreaterThan(3)
})

test('mentions every change in behavior in a guide on the operation', () => {
  const behaviors = inputs.changelog.flatMap(({ changes }) =>
    changes.filter(({ rule }) => rule.startsWith('behavior-')),
  )
  const sinceOf = (text: string) => inputs.requirements.find((row) => text.startsWith(row.text))?.since
  const missing = behaviors.filter(({ operations, text }) =>
    operations.some(
      (id) =>
        !inputs.guides.some(
          (guide) => guide.text.includes(`(op:${id})`) && guide.text.includes(`from ${sinceOf(text)} on`),
        ),
    ),
  )
  expect(missing).toEqual([])
  expect(behaviors.length).toBeGreaterThan(0)
})
