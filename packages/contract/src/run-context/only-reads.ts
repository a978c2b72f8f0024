import type { Transport } from '../http/transport.ts'
import { Untestable } from '../model/signals.ts'

/** Methods that don't change anything (RFC 9110 §9.2.1). */
export const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/**
 * Creates the transport for read-only runs. The transport blocks all requests that could change something, because a
 * faulty target might accept requests that it should reject. Token requests pass, because read requests need a token.
 *
 * @throws Untestable from `send` for all other requests.
 */
export const onlyReads = (transport: Transport, tokenPath: string): Transport => ({
  ...transport,
  send(request, recreate) {
    if (!safeMethods.includes(request.method) && request.path.split('?')[0] !== tokenPath)
      throw new Untestable('permission to send requests that can change resources (the run is read-only)')
    return transport.send(request, recreate)
  },
})
