import { connect } from 'node:net'

/** A response read from a raw socket. */
export interface RawResponse {
  /** The status code, or 0 if the connection was closed without a response. */
  readonly status: number
  readonly head: string
  readonly body: string
}

/**
 * Sends bytes unchanged. Reads until the response is complete or the connection ends, for at most `patience`
 * milliseconds.
 */
export function rawRequest(url: string, bytes: string | Buffer, patience = 4000): Promise<RawResponse> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname)
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`No response to ${JSON.stringify(bytes.toString('latin1').slice(0, 200))}`))
    }, patience)
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(parse(Buffer.concat(chunks).toString('utf8')))
    }
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (isWhole(Buffer.concat(chunks).toString('latin1'))) finish()
    })
    socket.on('end', finish)
    socket.on('error', finish)
  })
}

/**
 * A response, and how its connection ended. `ending` is `end` if the connection was closed normally. Otherwise,
 * `ending` is an error code.
 */
export interface RawExchange extends RawResponse {
  readonly ending: string
}

/** Sends bytes unchanged and reads until the connection is closed. */
export function rawExchange(url: string, bytes: string | Buffer): Promise<RawExchange> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname)
    const finish = (ending: string) => {
      socket.destroy()
      resolve({ ...parse(Buffer.concat(chunks).toString('utf8')), ending })
    }
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => finish('end'))
    socket.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message))
  })
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /^content-length: (\d+)/im.exec(text.slice(0, end))?.[1]
  const withoutBody = /^HTTP\/1\.1 (?:1\d\d|204|304)/.test(text)
  return withoutBody || (length !== undefined && text.length >= end + 4 + Number(length))
}

function parse(text: string): RawResponse {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
  const end = text.indexOf('\r\n\r\n')
  return end === -1
    ? { status, head: text, body: '' }
    : { status, head: text.slice(0, end), body: text.slice(end + 4) }
}
