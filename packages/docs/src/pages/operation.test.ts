import { expect, test } from 'vitest'
import { model, textOf } from '../testing/inputs.ts'

const pageOf = (id: string, version = model.newest.id): string =>
  textOf(`${version}/operations/${id}/index.md`)

test('has a row for each error code of an operation', () => {
  const { errorCodes } = model.inputs.facts
  for (const { id, operation } of model.newest.operations)
    for (const name of operation['x-errors'] ?? [])
      expect(pageOf(id)).toMatch(
        new RegExp(`^\\| ${errorCodes[name]?.status} \\| \\[\`${name}\`\\]\\(\\S+\\) \\| `, 'm'),
      )
  for (const { id } of model.newest.operations)
    expect(pageOf(id), 'a code that no operation returns').not.toContain('[`NOT_ORG_GROUP_CREATOR`]')
})

test('shows an example of the most common error', () => {
  for (const { id, operation } of model.newest.operations) {
    const failure = operation['x-failure']
    if (!failure) continue
    expect(pageOf(id), id).toMatch(new RegExp(`Example: \\d{3} ${failure.code}\\b`))
    expect(pageOf(id), id).toContain(JSON.stringify(failure.detail))
  }
  expect(pageOf('deleteExportBucket')).toContain('Example: 409 EXPORT_BUCKET_IN_USE')
})

test('describes the errors of the token endpoint', () => {
  expect(pageOf('issueToken')).toMatch(
    /^\| 400 \| \[`unsupported_grant_type`\]\(\S+\) \| The request is not a .+ grant: invalid grant type\. \|$/m,
  )
})

test('explains media types of an earlier date', () => {
  const { id, fact } = model.newest
  for (const { id: operation, success } of model.newest.operations) {
    const dates = success.flatMap(({ body }) => /\d{4}-\d\d-\d\d/.exec(body?.mediaType ?? '')?.[0] ?? [])
    const older = dates.length > 0 && !dates.includes(id)
    expect(pageOf(operation).includes(`has not changed since; \`${fact.mediaType}\``), operation).toBe(older)
  }
})

test('shows the Accept header of every operation, even without a response body', () => {
  for (const version of model.versions)
    for (const { id } of version.operations)
      expect(pageOf(id, version.id), id).toMatch(/^- Accept: `application/m)
  const type = model.newest.fact.mediaType
  for (const id of ['deleteAlertConfig', 'cutoverMigration'])
    expect(pageOf(id)).toContain(`- Accept: \`${type}\`, even though the response has no body`)
})

test('marks decided addresses, and links to the request form', () => {
  for (const { id, method, prefix, path, operation } of model.newest.operations) {
    const call = `\`${method.toUpperCase()} ${prefix}${path}\``
    const line = pageOf(id)
      .split('\n')
      .find((each) => each.startsWith(call))
    expect(line?.includes('[decided]'), id).toBe(operation['x-decided']?.address !== undefined)
    expect(line).toContain(`operation=${id}&version=${model.newest.id}`)
  }
})

test('notes repeatable operations only if they differ from their method', () => {
  for (const { id, method, operation } of model.newest.operations)
    expect(pageOf(id).includes('- Repeatable: yes'), id).toBe(
      (method === 'post' || method === 'patch') && operation['x-idempotent'] === true,
    )
})

test('names the successor of a deprecated operation once', () => {
  const times = (id: string, text: string) => pageOf(id).split(text).length - 1
  expect(times('listServerlessSnapshots', 'deprecated since 2025-03-12')).toBe(1)
  expect(times('listServerlessSnapshots', '`listFlexBackups`')).toBe(1)
  expect(times('listServerlessSnapshots', 'Deprecated since')).toBe(0)
})

test('shows the request that the demo organization needs first', () => {
  expect(pageOf('disableCompliancePolicy')).toContain('/sandbox/index.md#grantDeletable')
  expect(pageOf('getCompliancePolicy')).not.toContain('To run them there')
})
