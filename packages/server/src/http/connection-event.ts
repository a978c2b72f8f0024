import type { Server } from 'node:http'

/**
 * Returns the event that provides the socket with the HTTP data. With TLS, `connection` provides the encrypted socket
 * instead.
 */
export const connectionEvent = (server: Server): 'connection' | 'secureConnection' =>
  'setSecureContext' in server ? 'secureConnection' : 'connection'
