import { expect, test } from 'vitest'
import { inputs, model, textOf } from '../testing/inputs.ts'

const pageOf = (id: string, version = model.newest.id): string => textOf(`${version}/operations/${id}.md`)

test('describes the errors that depend on the request, and names the statuses of the others', () => {
  const [, general = ''] = textOf('errors.md').split('Every operation\n')
  const statusOf = (name: string) => inputs.facts.errorCodes[name]?.status
  for (const { id, operation } of model.newest.operations)
    for (const name of operation['x-errors'] ?? []) {
      const text = pageOf(id)
      if (text.includes(`[\`${name}\`](`)) continue
      expect(general.split('## ')[0], id).toContain(`[\`${name}\`](`)
      expect(/^See also the \[errors of every operation.*/m.exec(text)?.[0], id).toContain(
        ` ${statusOf(name)}`,
      )
    }
  expect(pageOf('deleteExportBucket')).toMatch(/^\| \[`EXPORT_BUCKET_IN_USE`\]\(\S+\) \| 409 \| /m)
  expect(pageOf('deleteExportBucket')).not.toMatch(/^\| \S+ \| 429 /m)
  for (const { id } of model.newest.operations)
    expect(pageOf(id), 'a code that no operation returns').not.toContain('[`NOT_ORG_GROUP_CREATOR`]')
})

test('shows an example of the most common error', () => {
  for (const { id, operation } of model.newest.operations) {
    const failure = operation['x-failure']
    if (!failure) continue
    expect(pageOf(id), id).toMatch(new RegExp(`^\\d{3} ${failure.code}:$`, 'm'))
    expect(pageOf(id), id).toContain(JSON.stringify(failure.detail))
  }
  expect(pageOf('deleteExportBucket')).toContain('409 EXPORT_BUCKET_IN_USE:')
})

test('describes the errors of the token endpoint', () => {
  expect(pageOf('issueToken')).toMatch(
    /^\| \[`unsupported_grant_type`\]\(\S+\) \| 400 \| The request is not a .+ grant\b.*: invalid grant type\. \|$/m,
  )
})

test('names the date of the last change, and sends the date of the page', () => {
  const dates = [...model.versions].filter(({ fact }) => fact.generation === model.newest.fact.generation)
  for (const version of dates)
    for (const { id, basic } of version.operations) {
      const span = model.spans.unchanged(version, id)
      if (span.at(-1) !== version) continue
      const page = pageOf(id, version.id)
      expect(page, id).toContain(`- Version: [${span[0].id}](`)
      if (!basic) expect(page, id).toContain(`Accept: ${version.fact.mediaType}`)
      for (const { fact } of dates.filter((each) => each !== version))
        expect(page, id).not.toContain(`Accept: ${fact.mediaType}`)
    }
})

test('names the older generation that shares the page, with what its requests send', () => {
  const [oldest] = model.versions
  expect(pageOf('getAlert')).toMatch(
    /- Version: .*; also v1\.0, with prefix `\/api\/svc\/v1\.0` and media type `application\/json`/,
  )
  expect(model.spans.operation(model.newest, 'getAlert')[0]).toBe(oldest)
  expect(textOf('_redirects')).toMatch(
    /^\/v1\.0\/operations\/getAlert\.md \/\S+\/operations\/getAlert\.md 301$/m,
  )
  // For these operations, the generations differ in more than the version.
  for (const id of ['createFtsIndex', 'getExportBucket'])
    expect(model.spans.operation(model.newest, id), id).not.toContain(oldest)
})

test('names fields that the response shares with the request only once', () => {
  const page = textOf(`${model.newest.id}/operations/createAlertConfig/index.html`)
  const [, response = ''] = page.split('id="response-200"')
  expect(response).toContain('The same fields as the request')
  expect(response).toContain('<a id="response.eventTypeName" href="#request.eventTypeName">')
  expect(response).toContain('<div class="field" id="response.created">')
  expect(response).not.toContain('<div class="field" id="response.eventTypeName">')
})

test('collapses nested objects and common parameters', () => {
  const page = textOf(`${model.newest.id}/operations/updateBackupSchedule/index.html`)
  expect(page).toMatch(/<details class="nested"><summary>2 fields: .*id="request\.export\.exportBucketId"/)
  const [body = '', common = ''] = page.split('<summary>Common parameters: ')
  expect(body).toContain('id="request-body"')
  expect(common).toContain('id="query.envelope"')
})

test('links to the requirements of an operation, with their number', () => {
  const [, count = '', address = ''] =
    /^\[(\d+) requirements\]\((\S+)\)/m.exec(pageOf('createAlertConfig')) ?? []
  expect(Number(count)).toBeGreaterThan(5)
  expect(address).toMatch(/requirements\/alert-configurations\.md#createAlertConfig$/)
})

test('marks decided addresses, and links to the request form', () => {
  for (const { id, method, prefix, path, operation } of model.newest.operations) {
    const call = `\`${method.toUpperCase()} ${prefix}${path}\``
    const line = pageOf(id)
      .split('\n')
      .find((each) => each.startsWith(call))
    expect(line?.includes('[our decision]'), id).toBe(operation['x-decided']?.address !== undefined)
    const span = model.spans.operation(model.newest, id)
    expect(span.at(-1)).toBe(model.newest)
    expect(textOf(`${model.newest.id}/operations/${id}/index.html`)).toContain(
      `try/?operation=${id}&amp;version=${model.newest.id}"`,
    )
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
  expect(pageOf('disableCompliancePolicy')).toContain('/sandbox.md#grantDeletable')
  expect(pageOf('getCompliancePolicy')).not.toContain('To run them there')
})
