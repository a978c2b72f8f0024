// Creates a Search index, or finds an existing index with the same name, and waits until queries can use it.
import { createClient, isErrorCode, type v2025_03_12 } from '@svc-admin/client'
import { baseUrl, clusterName, groupId, serviceAccount } from './environment.ts'

const client = createClient({ baseUrl, credentials: serviceAccount, version: '2025-03-12' })
const cluster = { groupId, clusterName }
const databaseName = 'sales'
const collectionName = 'receipts'
const indexName = 'everything'

async function findOrCreate(): Promise<v2025_03_12.SearchIndex> {
  try {
    const definition = { mappings: { dynamic: true } }
    const body = { database: databaseName, collectionName, name: indexName, definition }
    return await client.createSearchIndex({ ...cluster, body })
  } catch (error) {
    if (!isErrorCode(error, 'DUPLICATE_NAME')) throw error
    return client.getSearchIndexByName({ ...cluster, databaseName, collectionName, indexName })
  }
}

const { indexID } = await findOrCreate()
const read = () => client.getSearchIndex({ ...cluster, indexId: indexID })
const index = await client.waitFor('search-index', read, { until: 'READY' })
console.log(index.name, 'is', index.status)
console.log('the same index:', (await findOrCreate()).indexID === indexID)
