// The client is made when the first request comes and kept for the next ones, as programs do: a worker runtime
// lets no request touch what belongs to another.
import * as client from './client/index.js'
import { run } from './scenario.mjs'

let kept

export default {
  async fetch(request) {
    const place = await request.json()
    if (new URL(request.url).pathname === '/scenario') return Response.json(await run(client, place))
    const { baseUrl, account, groupId } = place
    kept ??= client.createClient({ baseUrl, credentials: account, version: '2025-03-12' })
    return Response.json(await kept.listAlerts({ groupId }))
  },
}
