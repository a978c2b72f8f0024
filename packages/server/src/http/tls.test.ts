import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { demoSecrets, newest, projectId } from '../../test/demo.ts'
import { digestHeader, nonceOf } from '../../test/digest-client.ts'
import { portOf } from '../../test/free-port.ts'
import { startServer } from '../start-server.ts'
import { createLog } from './log.ts'
import { createNodeServer } from './node-server.ts'
import { readTls, reloadTls } from './tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'tls-'))
afterAll(() => rmSync(folder, { recursive: true }))

function certify(name: string) {
  const files = { tlsCertificate: join(folder, `${name}.pem`), tlsKey: join(folder, `${name}.key`) }
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', files.tlsKey]
  execFileSync('openssl', ['req', '-x509', ...key, ...subject, '-out', files.tlsCertificate], {
    stdio: 'ignore',
  })
  return files
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

// These tests create certificates with OpenSSL, because Node can't create any.
describe.skipIf(!hasOpenssl())('a server with a certificate', () => {
  const first = hasOpenssl() ? certify('first') : { tlsCertificate: '', tlsKey: '' }
  const second = hasOpenssl() ? certify('second') : first

  const get = async (url: string, headers = {}, agent = new Agent({ rejectUnauthorized: false })) => {
    const sent = request(url, { agent, headers }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const body = Buffer.concat(await response.toArray()).toString()
    const socket = response.socket as TLSSocket
    return { status: response.statusCode, headers: response.headers, body, socket }
  }

  it('serves the API over HTTPS, and links to it', async () => {
    const server = await startServer(first)
    onTestFinished(() => server.stop())
    expect(server.url).toMatch(/^https:/)
    const agent = new Agent({ ca: readFileSync(first.tlsCertificate), keepAlive: true })
    onTestFinished(() => agent.destroy())
    const path = `/api/svc/v2/groups/${projectId}/alerts`
    const challenge = await get(server.url + path, {}, agent)
    const nonce = nonceOf(challenge.headers['www-authenticate'] ?? null)
    const secret = demoSecrets.get('orgowner') ?? ''
    const authorization = digestHeader({ username: 'orgowner', secret, nonce, method: 'GET', uri: path })
    const { status, body } = await get(server.url + path, { accept: newest, authorization }, agent)
    expect(status).toBe(200)
    expect(JSON.parse(body).links[0].href).toMatch(`${server.url}${path}`)
  })

  it('handles pipelined requests in order', async () => {
    const server = await startServer(first)
    onTestFinished(() => server.stop())
    const socket = connect({ port: Number(new URL(server.url).port), rejectUnauthorized: false })
    onTestFinished(() => void socket.destroy())
    const paths = ['/healthz', '/none', '/healthz']
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
    let text = ''
    for await (const chunk of socket) {
      text += chunk
      if (text.match(/HTTP\/1\.1/g)?.length === 3) break
    }
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '404', '200'])
  })

  it('uses a new certificate for new connections, and retains the previous one if it is unusable', async () => {
    const files = { tlsCertificate: join(folder, 'used.pem'), tlsKey: join(folder, 'used.key') }
    const use = ({ tlsCertificate, tlsKey }: typeof files) => {
      copyFileSync(tlsKey, files.tlsKey)
      copyFileSync(tlsCertificate, files.tlsCertificate)
    }
    use(first)
    const lines: string[] = []
    const log = createLog('info', (text) => void lines.push(text))
    const timeouts = { requestTimeout: 5000, headersTimeout: 5000 }
    const server = createNodeServer(timeouts, (_, response) => response.end(), undefined, readTls(files))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    reloadTls(server, files, log, 20)
    const url = `https://127.0.0.1:${portOf(server)}`
    const nameOf = async () => (await get(url)).socket.getPeerCertificate().subject.CN
    expect(await nameOf()).toBe('first')
    use(second)
    await vi.waitFor(async () => expect(await nameOf()).toBe('second'), 20_000)
    writeFileSync(files.tlsCertificate, 'no certificate')
    await vi.waitFor(() => {
      log.flush()
      expect(lines.join('')).toContain('TLS certificate not reloaded')
    }, 20_000)
    expect(await nameOf()).toBe('second')
  })

  it('is rejected at start if its files are missing or belong to different certificates', async () => {
    const { tlsCertificate } = first
    await expect(startServer({ tlsCertificate })).rejects.toThrow(
      "TLS requires both 'tlsCertificate' and 'tlsKey'",
    )
    await expect(startServer({ tlsCertificate, tlsKey: '/no/such/file' })).rejects.toThrow(
      /^'tlsKey' must be a readable file, but is '\/no\/such\/file'/,
    )
    await expect(startServer({ tlsCertificate, tlsKey: second.tlsKey })).rejects.toThrow(
      `The TLS certificate ${tlsCertificate} and the key ${second.tlsKey} cannot be used: `,
    )
  })
})
