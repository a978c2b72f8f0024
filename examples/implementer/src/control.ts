import type { IncomingMessage, ServerResponse } from 'node:http'
import { readJson } from './body.ts'
import { timestamp } from './clock.ts'
import type { Event } from './lifecycle.ts'
import { Problem } from './problem.ts'
import type { Service } from './service.ts'

// What no operation of the API does and a test has to bring about: the hooks of the target file. It asks nobody who he
// is, so it has a port of its own, on loopback.

type Hook = (service: Service, input: Record<string, unknown>) => object

const isEvent = (input: object): input is Event =>
  'groupId' in input &&
  typeof input.groupId === 'string' &&
  'eventTypeName' in input &&
  typeof input.eventTypeName === 'string'

const hooks: Readonly<Record<string, Hook>> = {
  '/events': ({ world }, input) => {
    if (isEvent(input)) return { alerts: world.happen(input) }
    throw new Problem('VALIDATION_ERROR', 'An event has groupId and eventTypeName.')
  },
  '/clock': ({ clock }, { seconds }) => {
    if (typeof seconds !== 'number') throw new Problem('VALIDATION_ERROR', 'seconds is a number.')
    clock.advance(seconds)
    return { now: timestamp(clock.now()) }
  },
}

const run = async (service: Service, request: IncomingMessage): Promise<[status: number, body: object]> => {
  const hook = hooks[request.url ?? '']
  try {
    if (!hook || request.method !== 'POST') throw new Problem('RESOURCE_NOT_FOUND', 'There is no such hook.')
    const input = await readJson(request)
    if (typeof input === 'object' && input !== null) return [200, hook(service, { ...input })]
    throw new Problem('VALIDATION_ERROR', 'The input of a hook is an object.')
  } catch (error) {
    const problem = error instanceof Problem ? error : new Problem('UNEXPECTED_ERROR', String(error))
    return [problem.status, problem.body()]
  }
}

export const control =
  (service: Service) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [status, body] = await run(service, request)
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }
