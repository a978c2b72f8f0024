import { expect, test } from 'vitest'
import { decisionsOf } from '../model/decisions.ts'
import { built, inputs, model, textOf } from '../testing/inputs.ts'

/** Returns the part of a page that describes the given field. */
function fieldOf(path: string, anchor: string): string {
  const [, after = ''] = textOf(path).split(`id="${anchor}"`)
  return after.split('<div class="field')[0] ?? ''
}

const newest = model.newest.id

test('marks the decided properties of a field, with a link to the reason', () => {
  const alert = `${newest}/schemas/Alert/index.html`
  expect(textOf(alert)).toMatch(
    /Why fields are required: <a href="[./]*decisions\/#responses" title="Why">our decision/,
  )
  expect(fieldOf(alert, 'field.id')).not.toMatch(/#responses|#bounds/)
  const bucket = `${newest}/schemas/ExportBucket/index.html`
  expect(textOf(bucket)).toMatch(/Unmarked fields: from the source/)
  expect(fieldOf(bucket, 'field.iamRoleId')).not.toContain('from the source')
  const retention = fieldOf(`${newest}/schemas/SnapshotRequest/index.html`, 'field.retentionInDays')
  expect(retention).toMatch(/default <code>7<\/code> <a href="[./]*decisions\/#bounds"/)
})

test('marks decided addresses, statuses and roles of operations, and no others', () => {
  const text = (id: string, version = newest) => textOf(`${version}/operations/${id}.md`)
  expect(text('listAlerts')).toMatch(/^`GET \S+` \[our decision\]\(\S*decisions\.md#operations-listalerts\)/m)
  expect(text('listAlerts')).toMatch(/The status 200 is \[our decision\]/)
  expect(text('listAccessLogsByCluster')).not.toMatch(/^`GET \S+` \[our decision\]/m)
  const role = /- Role: .*/
  expect(role.exec(text('getSnapshot', 'v1.0'))?.[0]).toContain('[our decision]')
  expect(role.exec(text('getSnapshot'))?.[0]).not.toContain('[our decision]')
})

test('marks decided states, errors, roles and token errors', () => {
  const values = /- Values: .*/.exec(textOf('lifecycles/snapshot.md'))?.[0]
  expect(values).toMatch(/: `queued`, `inProgress`; \[our decision\]\(\S+\) `completed`, `failed`/)
  expect(textOf('errors/VALIDATION_ERROR.md')).toMatch(/the schema\. \[our decision\]/)
  expect(textOf('errors/invalid_client.md')).toMatch(/- Status: 401 \[our decision\]/)
  expect(textOf('roles/PROJECT_OWNER.md')).toMatch(/- Includes: .* \[our decision\]/)
})

test('lists every decision of the ledger with its reason', () => {
  const page = textOf('decisions/index.html')
  for (const entry of inputs.ledger.filter(({ key }) => key.startsWith('decided: '))) {
    const [found] = [...model.decisions.byHeading.values()].flat().filter((each) => each.entry === entry)
    expect(page).toContain(`id="${found?.anchor}"`)
  }
  expect(page).toContain('Input of unlimited size could overload the service.')
  expect(built.files.has('decisions/errors/index.html')).toBe(true)
})

test('shows code in decisions as code', () => {
  const says = inputs.ledger.filter(({ key, says = '' }) => key.startsWith('decided: ') && says.includes('`'))
  expect(says.length).toBeGreaterThan(0)
  expect(textOf('decisions/index.html').replace(/<code>[\s\S]*?<\/code>/g, '')).not.toContain('`')
})

test('links a mark to the decision on the fact, or to the heading, or to the norm', () => {
  const { mark } = decisionsOf([
    { key: 'decided: Bounds/all', says: 'All have one', because: 'It is safe', strength: 'decided' },
    { key: 'decided: Bounds/hours', says: 'From "0"', strength: 'decided', facts: ['limit:hours'] },
  ])
  expect(mark('decided: Bounds', 'limit:hours')).toBe(`[our decision](/decisions/#bounds-hours "Why")`)
  expect(mark('decided: Bounds', 'limit:other')).toBe('[our decision](/decisions/#bounds "Why")')
  expect(mark('RFC 7616 §3.4')).toMatch(
    /^\[our decision\]\(https:\/\/www\.rfc-editor\.org\/rfc\/rfc7616#section-3\.4/,
  )
})

test('lists headers that responses declare themselves', () => {
  const text = textOf('decisions/generations-and-versions.md')
  for (const name of ['Vary', 'Deprecation', 'Sunset', 'Link']) expect(text).toContain(`header \`${name}\``)
})
