// Shows three ways to set a call's version, and how to get notified of deprecated operations.
import { createClient } from '@svc-admin/client'
import { apiKey, baseUrl, clusterName, groupId } from './environment.ts'

const client = createClient({
  baseUrl,
  credentials: apiKey,
  version: '2023-01-01',
  onDeprecation: ({ operationId, version, since }) =>
    console.log(`${operationId} of ${version} is deprecated since ${since?.toISOString().slice(0, 10)}`),
})
const collection = { groupId, clusterName, databaseName: 'sales', collectionName: 'orders' }
await client.listCollectionFtsIndexes(collection)

const newer = client.at('2025-03-12')
const { version } = await newer.listCollectionSearchIndexes(collection).withResponse()
console.log('response version', version)

const alerts = await newer.listAlerts({ groupId }, { version: '2023-01-01' }).withResponse()
console.log('response version', alerts.version)
