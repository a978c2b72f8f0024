const reject = (): never => {
  throw new Error('Fastify routes must not have schemas: the specification validates requests')
}

/**
 * Prevents Fastify from loading all Ajv dialects and a serializer. The server's routes have no Fastify
 * schemas that would need them.
 */
export const withoutSchemas = { compilersFactory: { buildValidator: reject, buildSerializer: reject } }
