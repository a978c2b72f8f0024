// Logs each attempt without secrets, and traces each call.
// This tracer prints to the console.
// In an application, use `trace.getTracer('my-app')` from @opentelemetry/api.
import { createClient, createLog, createTracer, type TracerLike } from '@svc-admin/client'
import { apiKey, baseUrl, groupId } from './environment.ts'

const tracer: TracerLike = {
  startSpan: (name) => ({
    setAttribute: () => undefined,
    addEvent: () => undefined,
    setStatus: () => undefined,
    end: () => console.log('span', name),
    spanContext: () => ({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      traceFlags: 1,
    }),
  }),
}
const logger = {
  debug: (message: string, fields: object) => console.log('debug', message, JSON.stringify(fields)),
  warn: (message: string, fields: object) => console.log('warn', message, JSON.stringify(fields)),
}
const client = createClient({
  baseUrl,
  credentials: apiKey,
  version: '2025-03-12',
  middleware: [createLog({ logger })],
  observer: createTracer(tracer),
})
await client.listAlerts({ groupId, itemsPerPage: 1 })
