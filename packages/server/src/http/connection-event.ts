import type { Server } from 'node:http'

/**
 * Returns the event that provides the socket with the HTTP data. With TLS, this isn't `connection`, because that event
 * provides the encrypted socket.
 */
export const connectionEvent = (server: Server): 'connection' | 'secureConnection' =>
  'setSecureContext' in server ? 'secureConnection' : 'connection'
