import { findUnlistedKinds, loadDocument } from '@svc-admin/spec'
import { expect, test } from 'vitest'
import { openEditor } from './editor.ts'

const editor = openEditor()
const kinds =
  findUnlistedKinds(loadDocument('2025-03-12').components.schemas).get('OtherNotification')?.values ?? []
const program = (call: string) => `
import { createClient, otherKind, type v2025_03_12 } from '@svc-admin/client'
const client = createClient({ baseUrl: 'https://cloud.example.com', version: '2025-03-12' })
declare const config: v2025_03_12.AlertConfig
declare const schedule: v2025_03_12.BackupSchedule
declare const index: v2025_03_12.SearchIndex
declare const text: string
const groupId = '', clusterName = '', alertConfigId = '', indexId = '', eventTypeName = 'HOST_DOWN'
export default client.${call}
`

const createConfig = (notification: string, more = '') =>
  `createAlertConfig({ groupId, body: { eventTypeName, notifications: [${notification}]${more} } })`
const updateIndex = (definition: string) =>
  `updateSearchIndex({ groupId, clusterName, indexId, body: { definition: ${definition} } })`
const updateSchedule = (body: string) => `updateBackupSchedule({ groupId, clusterName, body: ${body} })`
const updateAnalyzers = (analyzer: string) =>
  `updateSearchAnalyzers({ groupId, clusterName, body: [${analyzer}] })`

const createExport = (label: string) =>
  `createExportJob({ groupId, clusterName, body: { exportBucketId: '', snapshotId: '', customData: [${label}] } })`
const migrate = (source: string, destination = '{}') =>
  `createMigration({ groupId, body: { dropEnabled: false, source: ${source}, destination: ${destination} } })`

/** Calls that must not compile, and the expected compiler errors. */
const rejected: readonly (readonly [string, RegExp])[] = [
  [
    createConfig("{ typeName: 'EMAIL', emailAdress: 'x' }"),
    /'emailAdress' does not exist in type 'EmailNotificationInput'. Did you mean to write 'emailAddress'\?/,
  ],
  [
    createConfig("{ typeName: 'EMAIL', emailAddress: 'x', emailAdress: 'x' }"),
    /Did you mean to write 'emailAddress'\?/,
  ],
  [createConfig("{ typeName: 'WEBHOK' }"), /'"WEBHOK"' is not assignable .* Did you mean '"WEBHOOK"'\?/],
  [createConfig("{ typeName: 'WEBHOK', webhookUrl: 'https://a.example' }"), /Did you mean '"WEBHOOK"'\?/],
  [createConfig("{ typeName: 'EMAIL' }"), /Property 'emailAddress' is missing/],
  [createConfig("{ typeName: 'WEBHOOK' }"), /Property 'webhookUrl' is missing/],
  [createConfig("{ typeName: 'SMS', emailAddress: 'x' }"), /emailAddress/],
  [createConfig("{ emailAddress: 'x' }"), /Property 'typeName' is missing/],
  [createConfig("{ typeName: 'EMAIL', emailAddress: 1 }"), /'number' is not assignable to type 'string'/],
  [createConfig("{ typeName: 'NEW_KIND', room: 7 }"), /"NEW_KIND"/],
  [createConfig('{ typeName: text }'), /'string' is not assignable/],
  [
    createConfig("{ typeName: 'GROUP' }", ", matchers: [{ fieldNam: 'CLUSTER_NAME' }]"),
    /Did you mean to write 'fieldName'\?/,
  ],
  [updateIndex('{ mapings: {} }'), /'mapings'/],
  [updateIndex('{ mappings: { dynmic: true } }'), /'dynmic'/],
  [updateIndex("{ fields: [{ type: 'vector', pth: 'a' }] }"), /'pth'/],
  [updateIndex("{ mappings: {}, synonyms: [{ nam: 'a' }] }"), /'nam'/],
  [updateIndex("{ mappings: {}, analyzers: [{ name: 'a', tokenizer: { typ: 'standard' } }] }"), /'typ'/],
  [
    updateAnalyzers("{ name: 'a', tokenizer: { type: 'standard' }, tokenFilters: [{ type: 'lowercse' }] }"),
    /Did you mean '"lowercase"'\?/,
  ],
  [
    updateAnalyzers(
      "{ name: 'a', tokenizer: { type: 'standard' }, tokenFilters: [{ type: 'length', mn: 1 }] }",
    ),
    /'mn' does not exist in type 'LengthTokenFilterInput'/,
  ],
  [
    updateSchedule("{ policies: [{ policyItems: [{ frequencyTyp: 'daily' }] }] }"),
    /Did you mean to write 'frequencyType'\?/,
  ],
  [updateSchedule("{ copySettings: [{ regionNam: 'EU_WEST_1' }] }"), /Did you mean to write 'regionName'\?/],
  [createExport("{ ky: 'team' }"), /'ky' does not exist in type 'LabelInput'/],
  [migrate("{ clusterNam: 'orders' }"), /Did you mean to write 'clusterName'\?/],
  [migrate('{}', "{ clusterNam: 'orders' }"), /Did you mean to write 'clusterName'\?/],
  [updateSchedule("{ export: { exportBucketID: '' } }"), /Did you mean to write 'exportBucketId'\?/],
]

const accepted: readonly string[] = [
  createConfig("{ typeName: 'EMAIL', emailAddress: 'x' }"),
  createConfig("{ typeName: 'EMAIL', emailAddress: 'x', delayMin: 0, intervalMin: 15, notifierId: '' }"),
  createConfig("{ typeName: 'GROUP' }, { typeName: 'ORG', roles: [], smsEnabled: true }"),
  createConfig("{ typeName: 'WEBHOOK', webhookUrl: 'https://a.example', webhookSecret: 'x' }"),
  createConfig("{ typeName: 'DATADOG', datadogApiKey: 'x', datadogRegion: 'EU' }"),
  createConfig("{ typeName: 'SLACK', apiToken: 'x', channelName: 'ops' }"),
  createConfig("otherKind({ typeName: 'NEW_KIND', room: 7 })"),
  createConfig("otherKind({ typeName: text, rooms: ['a'] }), { typeName: 'SMS', mobileNumber: '1' }"),
  createConfig('', ", matchers: [{ fieldName: 'NEW_FIELD', operator: 'EQUALS', value: 'a' }]"),
  createConfig('', ", matchers: [otherKind({ fieldName: 'PORT', caseSensitive: true })]"),
  'updateAlertConfig({ groupId, alertConfigId, body: { eventTypeName, notifications: config.notifications } })',
  'updateAlertConfig({ groupId, alertConfigId, body: { eventTypeName, matchers: config.matchers, notifications: [] } })',
  updateIndex("{ mappings: { dynamic: true, fields: { title: { type: 'string' } } } }"),
  updateIndex("{ fields: [{ type: 'vector', path: 'a', numDimensions: 3, similarity: 'cosine' }] }"),
  updateIndex("{ fields: [otherKind({ type: 'vector', path: 'a', quantization: 'scalar' })] }"),
  updateIndex('index.latestDefinition'),
  updateAnalyzers("{ name: 'a', tokenizer: { type: 'newTokenizer' } }"),
  updateAnalyzers(
    "{ name: 'a', tokenizer: { type: 'standard' }, tokenFilters: [otherKind({ type: 'stopword', tokens: ['a'], x: 1 })] }",
  ),
  updateSchedule("{ policies: [{ policyItems: [{ frequencyType: 'daily', frequencyInterval: 1 }] }] }"),
  createExport("{ key: 'team', value: 'orders' }"),
  migrate("{ clusterName: 'orders', username: 'a', password: 'b', ssl: true }"),
  updateSchedule(
    '{ policies: schedule.policies, copySettings: schedule.copySettings, export: schedule.export }',
  ),
]

test.each(rejected)('%s is rejected', (call, expected) => {
  const errors = editor.errors(program(call)).join('\n')
  expect(errors).toMatch(expected)
})

test.each(accepted)('%s compiles', (call) => {
  expect(editor.errors(program(call))).toEqual([])
})

test('the editor completes the kinds, and the fields of the chosen kind only', () => {
  const names = (notification: string) =>
    editor
      .completions(program(createConfig(notification)))
      .map(({ name }) => name)
      .sort()
  expect(names("{ typeName: '|' }")).toEqual([...kinds].sort())
  expect(names("{ typeName: 'EMAIL', | }")).toEqual(['delayMin', 'emailAddress', 'intervalMin', 'notifierId'])
})
