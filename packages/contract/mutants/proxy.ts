import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Header } from '../src/http/exchange.ts'
import { createTransport } from '../src/http/transport.ts'

export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly headers: readonly Header[]
  readonly body: string | undefined
}

export interface Response {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body: string
}

export type Forward = (request: ProxiedRequest) => Promise<Response>

/**
 * A function that handles a request. The function can change the request, change the response, or return its own
 * response without forwarding the request.
 */
export type Interference = (request: ProxiedRequest, forward: Forward) => Promise<Response>

/** A proxy that changes requests or responses, so that the server behind it appears to break requirements. */
export interface BreakingProxy {
  readonly url: string
  interfere(how: Interference | undefined): void
  close(): Promise<void>
}

/**
 * The headers that apply only to one connection (RFC 9110 §7.6.1). `Content-Length` isn't forwarded either, because a
 * mutant can change the length.
 */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'te',
  'upgrade',
])

const passedOn = (headers: readonly Header[]): Header[] =>
  headers.filter(([name]) => !ofConnection.has(name.toLowerCase()))

const headersOf = ({ rawHeaders }: IncomingMessage): Header[] =>
  rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] satisfies Header] : [],
  )

const bodyOf = async (incoming: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const declared =
    incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined
  const body = Buffer.concat(chunks).toString('utf8')
  return body === '' && !(declared && incoming.method !== 'GET') ? undefined : body
}

/** Options for how to send responses. These options don't change the content of a response. */
export interface Sending {
  /** Whether to use chunked transfer coding, without a `Content-Length` header. */
  readonly chunked?: boolean | undefined
  /** Whether to compress bodies with gzip. */
  readonly gzip?: boolean | undefined
}

const write = (
  outgoing: ServerResponse,
  { status, headers, body }: Response,
  { chunked = false, gzip = false }: Sending,
): void => {
  const bytes = gzip ? gzipSync(body) : Buffer.from(body)
  const empty = status === 204 || status === 304
  const length = empty || chunked ? [] : [['Content-Length', String(bytes.length)] satisfies Header]
  const coding = empty || !gzip ? [] : [['Content-Encoding', 'gzip'] satisfies Header]
  outgoing.writeHead(status, [...passedOn(headers), ...length, ...coding].flat())
  if (chunked && !empty)
    for (let at = 0; at < bytes.length; at += 7) outgoing.write(bytes.subarray(at, at + 7))
  outgoing.end(chunked || empty ? undefined : bytes)
}

export const openProxy = async (upstream: string, sending: Sending = {}): Promise<BreakingProxy> => {
  const transport = createTransport({ baseUrl: upstream, connections: 32 })
  let interference: Interference | undefined
  const forward: Forward = async ({ method, path, headers, body }) => {
    const { response } = await transport.send({ method, path, headers: passedOn(headers), body })
    return { status: response.status, headers: response.headers, body: response.body }
  }
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming)
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: headersOf(incoming),
      body,
    }
    write(outgoing, await (interference ? interference(request, forward) : forward(request)), sending)
  }
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy(error instanceof Error ? error : new Error(String(error)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    interfere: (how) => {
      interference = how
    },
    close: async () => {
      transport.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
