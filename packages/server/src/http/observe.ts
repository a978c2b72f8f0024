import { millisecondsOf, pathOf, type RequestFacts } from '../world/request-log.ts'
import type { World } from '../world/world.ts'
import type { Call } from './call.ts'
import type { Log, LogFields } from './log.ts'

/**
 * Logs a finished request and adds it to the metrics. API requests are also added to the world's request log, even if
 * no route matches, because users expect to find all requests in this log.
 */
export function observe(call: Call, log: Log, world: World | undefined, byApi: boolean): void {
  const duration = performance.now() - call.startedAt
  const { method, route } = call
  const status = statusOf(call)
  if (log.informs) log.info('request', lineOf(call, status, duration))
  if (byApi && world?.sandbox) world.sandbox.requests.add(factsOf(call, world, status, duration))
  world?.metrics?.observe({
    method,
    operation: route?.row.id ?? 'none',
    status,
    seconds: duration / 1000,
  })
}

/** Returns the status code of the response, or 0 if the connection was reset. */
const statusOf = ({ context, response }: Call): number =>
  context?.fault?.kind === 'reset' ? 0 : response.statusCode

/** Returns the fields of a log line. The query, headers and body are omitted, because they may contain secrets. */
function lineOf(
  { id, method, target, route, context, request }: Call,
  status: number,
  duration: number,
): LogFields {
  return {
    requestId: id,
    method,
    path: pathOf(target),
    operationId: route?.row.id,
    status,
    milliseconds: millisecondsOf(duration),
    principal: context?.principal.id || undefined,
    address: context?.address ?? request.socket.remoteAddress ?? '',
  }
}

function factsOf(call: Call, { clock }: World, status: number, duration: number): RequestFacts {
  const { id, method, target, route, context, errorCode } = call
  return {
    requestId: id,
    now: context?.now ?? clock.lastKnown(),
    method,
    target,
    operationId: route?.row.id,
    version: context?.version.id,
    status,
    errorCode,
    duration,
    principal: context?.principal.id || undefined,
    unread: context?.unread() ?? [],
    fault: context?.fault?.kind,
  }
}
