import { millisecondsOf, pathOf } from '../world/request-log.ts'
import type { World } from '../world/world.ts'
import type { Call } from './call.ts'
import type { Exchange } from './exchange.ts'
import type { Log, LogFields } from './log.ts'

/** Tells the log, the request log and the metrics of a call that has been answered. */
export function observe(call: Call, log: Log, world: World | undefined): void {
  const duration = performance.now() - call.began
  const { exchange, method, route } = call
  const status = statusOf(call)
  if (log.informs) log.info('request', lineOf(call, status, duration))
  if (exchange) world?.sandbox?.requests.add(factsOf(call, exchange, status, duration))
  world?.metrics?.observe({
    method,
    operation: route?.row.id ?? 'none',
    status,
    seconds: duration / 1000,
  })
}

/** The status that was answered; 0 if there was none. */
const statusOf = ({ exchange, response }: Call): number =>
  exchange?.fault?.kind === 'reset' ? 0 : response.statusCode

/** A line of the log: no query, which may hold what should not be read by others, no header, no body. */
function lineOf(
  { id, method, target, route, exchange, request }: Call,
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
    principal: exchange?.principal.id || undefined,
    address: request.socket.remoteAddress ?? '',
  }
}

function factsOf(
  { id, method, target, errorCode }: Call,
  exchange: Exchange,
  status: number,
  duration: number,
) {
  const { now, route, version, principal, fault, unread } = exchange
  return {
    requestId: id,
    now,
    method,
    target,
    operationId: route.row.id,
    version: version.id,
    status,
    errorCode,
    duration,
    principal: principal.id || undefined,
    unread: unread(),
    fault: fault?.kind,
  }
}
