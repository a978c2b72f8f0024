// The client is created on the first request and then reused, as in real applications.
// This is worth testing, because in a worker runtime a request can't use objects from another request.
import * as client from './client/index.js'
import * as openapiFetch from './client/openapi-fetch.js'
import { run } from './scenario.mjs'

let cachedClient

export default {
  async fetch(request) {
    const environment = await request.json()
    const { pathname } = new URL(request.url)
    if (pathname === '/scenario') return Response.json(await run(client, openapiFetch, environment))
    const { baseUrl, account, groupId } = environment
    cachedClient ??= client.createClient({ baseUrl, credentials: account, version: '2025-03-12' })
    return Response.json(await cachedClient.listAlerts({ groupId }))
  },
}
