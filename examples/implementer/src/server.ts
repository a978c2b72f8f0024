import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { control } from './control.ts'
import { seed } from './seed.ts'
import { Service, type Shortcomings } from './service.ts'

export interface Options extends Shortcomings {
  /** The API's port. The default, 0, selects a free port. */
  readonly port?: number
  /** The port for the test hooks. Default: 0. */
  readonly controlPort?: number
  /** The secret shared by all seeded credentials. */
  readonly secret: string
}

export interface Running {
  readonly url: string
  readonly controlUrl: string
  stop(): Promise<void>
}

const listen = (server: Server, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

export const startServer = async ({
  port = 0,
  controlPort = 0,
  secret,
  ...shortcomings
}: Options): Promise<Running> => {
  const service = new Service(shortcomings)
  seed(service, secret)
  const handleHook = control(service)
  const api = createServer((request, response) => void service.handle(request, response))
  const hooks = createServer((request, response) => void handleHook(request, response))
  return {
    url: await listen(api, port),
    controlUrl: await listen(hooks, controlPort),
    stop: async () => {
      await Promise.all([close(api), close(hooks)])
    },
  }
}
