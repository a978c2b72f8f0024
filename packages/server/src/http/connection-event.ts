import type { Server } from 'node:http'

/**
 * Returns the event that provides the socket with HTTP data. With TLS, the `connection` event provides the
 * encrypted socket instead.
 */
export const connectionEvent = (server: Server): 'connection' | 'secureConnection' =>
  'setSecureContext' in server ? 'secureConnection' : 'connection'
