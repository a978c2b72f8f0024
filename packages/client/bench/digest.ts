import { createDigestServer, key } from '../test/digest-server.ts'
import { path, response, setup } from '../test/setup.ts'

interface Requests {
  readonly calls: string
  readonly requests: number
}

/** Counts the requests that sequential and parallel calls send to a test server with Digest authentication. */
export async function measureDigest(count = 1_000): Promise<Requests[]> {
  const create = () => setup(createDigestServer(() => response({})).respond, { credentials: key })
  const inRow = create()
  for (let call = 0; call < count; call++) await inRow.client.getAlert(path)
  const atOnce = create()
  await Promise.all(Array.from({ length: count }, () => atOnce.client.getAlert(path)))
  return [
    { calls: `${count} in a row`, requests: inRow.requests.length },
    { calls: `${count} at once`, requests: atOnce.requests.length },
  ]
}
