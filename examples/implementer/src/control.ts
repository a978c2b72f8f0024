import type { IncomingMessage, ServerResponse } from 'node:http'
import { readJson } from './body.ts'
import { timestamp } from './clock.ts'
import type { Event } from './lifecycle.ts'
import { Problem } from './problem.ts'
import type { Service } from './service.ts'

// Test hooks from the target file, for actions that the API doesn't support.
// The hooks don't require authentication, so they listen on a separate port on the loopback interface.

type Hook = (service: Service, input: Record<string, unknown>) => object

const isEvent = (input: object): input is Event =>
  'groupId' in input &&
  typeof input.groupId === 'string' &&
  'eventTypeName' in input &&
  typeof input.eventTypeName === 'string'

const hooks: Readonly<Record<string, Hook>> = {
  '/events': ({ world }, input) => {
    if (isEvent(input)) return { alerts: world.applyEvent(input) }
    throw new Problem('VALIDATION_ERROR', 'An event requires groupId and eventTypeName.')
  },
  '/clock': ({ clock }, { seconds }) => {
    if (typeof seconds !== 'number') throw new Problem('VALIDATION_ERROR', 'seconds must be a number.')
    clock.advance(seconds)
    return { now: timestamp(clock.now()) }
  },
}

const run = async (service: Service, request: IncomingMessage): Promise<[status: number, body: object]> => {
  const hook = hooks[request.url ?? '']
  try {
    if (!hook || request.method !== 'POST') throw new Problem('RESOURCE_NOT_FOUND', 'Unknown hook.')
    const input = await readJson(request)
    if (typeof input === 'object' && input !== null) return [200, hook(service, { ...input })]
    throw new Problem('VALIDATION_ERROR', "A hook's input must be an object.")
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
