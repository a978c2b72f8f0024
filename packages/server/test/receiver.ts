import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { portOf } from './free-port.ts'

/** A request sent to a webhook receiver. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/**
 * Starts a webhook receiver on this machine. Each request is handled by the next handler in the list. The last handler
 * also handles all further requests.
 */
export async function startReceiver(...responses: RequestListener[]) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      const answer = responses[Math.min(received.length, responses.length) - 1]
      if (answer) answer(request, response)
      else response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const port = portOf(server)
  return { url: `http://127.0.0.1:${port}/hook`, port, received }
}
