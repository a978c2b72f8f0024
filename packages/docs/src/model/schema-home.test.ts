import { expect, test } from 'vitest'
import { aliasesOf, resolveAlias } from '../site/aliases.ts'
import { built, model, textOf } from '../testing/inputs.ts'
import { hasPage, unionOf } from './schema-home.ts'

const { document, id } = model.newest
const page = `${id}/schemas/Notification/index.html`

test('describes variants on the page of their union', () => {
  expect(unionOf(document, 'SlackNotification')).toBe('Notification')
  expect(built.files.has(`${id}/schemas/SlackNotification/index.html`)).toBe(false)
  expect(textOf(page)).toContain('<h3 id="SlackNotification">')
  expect(textOf(page)).toContain('id="SlackNotification.channelName"')
})

test('gives schemas that others also use, and single variants, their own page', () => {
  for (const name of ['AlertConfig', 'TextSearchIndexDefinition', 'StoredSourceFields', 'ApiError'])
    expect([name, unionOf(document, name), hasPage(model.newest, name)]).toEqual([name, undefined, true])
  expect(hasPage(model.newest, 'Identifier')).toBe(false)
})

test('redirects the addresses of variants, also from older versions', () => {
  const redirects = textOf('_redirects').split('\n')
  expect(redirects).toContain(
    `/${id}/schemas/SlackNotification/ /${id}/schemas/Notification/#SlackNotification 301`,
  )
  expect(redirects).toContain(
    `/2023-01-01/schemas/SlackNotification/ /${id}/schemas/Notification/?version=2023-01-01#SlackNotification 301`,
  )
})

test('leads links to a field of a variant to this field', () => {
  const address = `/${id}/schemas/SlackNotification/#field.channelName`
  expect(resolveAlias(aliasesOf(model), address, true)).toBe(
    `/${id}/schemas/Notification/#SlackNotification.channelName`,
  )
})
