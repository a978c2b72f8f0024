import { expect, test } from 'vitest'
import type { RawRequest } from '../http/exchange.ts'
import { NoResponse, type Transport } from '../http/transport.ts'
import { loadApi } from '../model/api.ts'
import { Untestable } from '../model/signals.ts'
import { patient } from './patient.ts'

const path = '/api/svc/v2/groups/64b7e1c20f3a5d6e7f809101/alerts'
const withCredentials: RawRequest = { method: 'GET', path, headers: [['authorization', 'Bearer x']] }
const withoutCredentials: RawRequest = { method: 'GET', path, headers: [] }

/** A target that responds with `status` to requests without credentials, and that doesn't respond to any others. */
const silentExcept = (status: number): Transport => ({
  baseUrl: 'http://x',
  prefix: '',
  close: () => {},
  send: async (request) => {
    if (request.headers.length > 0) throw new NoResponse(request, 'TIMEOUT')
    return { url: '', request, response: { status, reason: '', headers: [], body: '' }, milliseconds: 1 }
  },
})

/**
 * Sends three requests that get no response, with a request without credentials after each of them. Returns
 * the error for the fourth request.
 */
const fourthError = async (status: number): Promise<unknown> => {
  const transport = patient(silentExcept(status), loadApi())
  for (let tries = 0; tries < 3; tries += 1) {
    await expect(transport.send(withCredentials)).rejects.toBeInstanceOf(NoResponse)
    if (tries < 2) await transport.send(withoutCredentials)
  }
  return transport.send(withCredentials).catch((error: unknown) => error)
}

test('stops waiting for an operation although it rejects requests without credentials', async () => {
  expect(await fourthError(401)).toBeInstanceOf(Untestable)
})

test('continues to wait for an operation that responds to some requests', async () => {
  expect(await fourthError(200)).toBeInstanceOf(NoResponse)
})
