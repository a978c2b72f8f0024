import type { Transport } from '../http/transport.ts'
import { Untestable } from './signals.ts'

/** Methods by which nothing is changed (RFC 9110 §9.2.1). */
export const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/**
 * A transport that sends nothing by which a target could change something, whatever the check expects of it: who is
 * tested may do what it should refuse. A token is asked for, since without one nothing can be read with it.
 *
 * @throws Untestable from `send` for every other request.
 */
export const onlyReads = (transport: Transport, tokenPath: string): Transport => ({
  ...transport,
  send(request, recreate) {
    if (!safeMethods.includes(request.method) && request.path.split('?')[0] !== tokenPath)
      throw new Untestable('leave to send what may change something (the run is read-only)')
    return transport.send(request, recreate)
  },
})
