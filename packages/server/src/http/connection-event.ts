import type { Server } from 'node:http'

/**
 * Returns the name of the event that provides the socket for decrypted HTTP data. On a TLS server, the `connection`
 * event provides the encrypted socket instead.
 */
export const connectionEvent = (server: Server): 'connection' | 'secureConnection' =>
  'setSecureContext' in server ? 'secureConnection' : 'connection'
