import type { Server } from 'node:http'

/** The event with the socket that HTTP is read from. With TLS, `connection` has the encrypted one. */
export const connectionEvent = (server: Server): 'connection' | 'secureConnection' =>
  'setSecureContext' in server ? 'secureConnection' : 'connection'
