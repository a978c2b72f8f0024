export { example } from './example.ts'
export {
  brokenBody,
  connectionReset,
  crashed,
  type Fault,
  hanging,
  htmlPage,
  rateLimited,
  refused,
  revokedToken,
  slowBody,
  staleNonce,
  truncatedJson,
  unavailable,
  withFaults,
} from './faults.ts'
export { createHandlers, type DataOf, type HandledRequest, type Replies, type Reply } from './handlers.ts'
export { createMswHandlers, type MswHttp } from './msw.ts'
export { signWebhook } from './sign-webhook.ts'
export { createStubFetch, type Responder, type StubFetch, type StubRequest } from './stub-fetch.ts'
export { createTestClock, type TestClock } from './test-clock.ts'
