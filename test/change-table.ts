import type { Checkout } from '../scripts/new/change.ts'
import { planRequirement } from '../scripts/new/requirement.ts'

/** Replaces the first occurrence of a text in a file. */
export function edit(checkout: Checkout, path: string, from: string, to: string): void {
  const text = checkout.read(path)
  if (!text.includes(from)) throw new Error(`${path} doesn't contain ${from}`)
  checkout.write([{ path, text: text.replace(from, to), isNew: false }])
}

/** Makes the changes from the change table in ARCHITECTURE.md. Each change edits only the files that its row lists. */
export function applyChangeTable(checkout: Checkout): void {
  changeLimit(checkout)
  addErrorCode(checkout)
  addNotificationKind(checkout)
}

function changeLimit(checkout: Checkout): void {
  edit(checkout, 'spec/facts/limits.yaml', 'maximum: 500', 'maximum: 400')
  for (const section of ['4.1', '8'])
    edit(checkout, `spec/ledger/index/${section}.yaml`, 'maximum: 500', 'maximum: 400')
}

function addErrorCode(checkout: Checkout): void {
  const decision = 'decided: Errors'
  const facts = 'spec/facts/error-codes.yaml'
  edit(
    checkout,
    facts,
    '\nDUPLICATE_NAME:',
    `
SETTING_LOCKED:
  status: 409
  appliesTo: declared
  strength: decided
  source: "${decision}"
  when: The setting is locked. Unlock it first.
  detail: The custom DNS configuration is locked.
DUPLICATE_NAME:`,
  )
  edit(
    checkout,
    'spec/v2/2023-01-01/paths/custom-dns.yaml',
    'operationId: updateCustomDns\n',
    'operationId: updateCustomDns\n  x-errors: [ SETTING_LOCKED ]\n',
  )
  const id = 'updateCustomDns.locked'
  const text = 'Returns 409 SETTING_LOCKED while the setting is locked.'
  checkout.write(planRequirement(checkout, { id, text, strength: 'decided', source: decision }))
  edit(
    checkout,
    'spec/requirements/custom-dns/updateCustomDns.yaml',
    `source: [ "${decision}" ]\n`,
    `source: [ "${decision}" ]\n    covers: [ error:SETTING_LOCKED ]\n`,
  )
  edit(
    checkout,
    'spec/ledger/index/decided-errors.yaml',
    `  - key: '${decision}/DUPLICATE_NAME'`,
    `  - key: '${decision}/SETTING_LOCKED'
    says: '409 SETTING_LOCKED: the setting is locked.'
    strength: decided
    facts: [ error:SETTING_LOCKED, requirement:${id} ]
    holds: { status: 409 }
  - key: '${decision}/DUPLICATE_NAME'`,
  )
}

function addNotificationKind(checkout: Checkout): void {
  const schemas = 'spec/v2/2023-01-01/schemas'
  const slack = checkout.read(`${schemas}/SlackNotification.yaml`)
  const text = slack
    .replace('a team chat channel', 'a fax machine')
    .replaceAll('SLACK', 'FAX')
    .replaceAll('chat', 'fax')
  checkout.write([{ path: `${schemas}/FaxNotification.yaml`, text, isNew: true }])
  for (const [path, line] of [
    [`${schemas}/Notification.yaml`, '  - $ref: SlackNotification.yaml\n'],
    [`${schemas}/Notification.yaml`, '    SLACK: SlackNotification.yaml\n'],
    ['spec/requirements/alert-configurations/createAlertConfig.yaml', '      - schema:SlackNotification\n'],
    ['spec/ledger/index/decided-inner-shapes.yaml', '      - schema:SlackNotification\n'],
    ['spec/ledger/index/decided-inner-shapes.yaml', '        - SLACK\n'],
  ] as const)
    edit(checkout, path, line, line + line.replace('Slack', 'Fax').replace('SLACK', 'FAX'))
}
