const reject = (): never => {
  throw new Error(
    'Fastify routes must not have schemas, because requests are validated against the specification',
  )
}

/**
 * Prevents Fastify from loading a serializer and all Ajv dialects. The server doesn't need them, because its routes
 * have no Fastify schemas.
 */
export const withoutSchemas = { compilersFactory: { buildValidator: reject, buildSerializer: reject } }
