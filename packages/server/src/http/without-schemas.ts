const reject = (): never => {
  throw new Error('Fastify routes must not have schemas: the specification validates requests')
}

/**
 * Without this, Fastify would load all Ajv dialects and a serializer for route schemas, although our routes have no
 * schemas.
 */
export const withoutSchemas = { compilersFactory: { buildValidator: reject, buildSerializer: reject } }
