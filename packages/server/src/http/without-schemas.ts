const reject = (): never => {
  throw new Error(
    'Fastify routes must not have schemas, because requests are validated against the specification',
  )
}

/**
 * Prevents Fastify from loading a serializer and all Ajv dialects. Neither is needed, because the server's routes don't
 * use Fastify schemas.
 */
export const withoutSchemas = { compilersFactory: { buildValidator: reject, buildSerializer: reject } }
