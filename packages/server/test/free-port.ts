import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns a port that was just free, for options where 0 has a different meaning. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  server.close()
  await once(server, 'close')
  return port
}
