const reject = (): never => {
  throw new Error('Fastify routes must not have schemas: the specification validates requests')
}

/** Fastify would load all dialects of Ajv and a serializer for route schemas, which no route here has. */
export const withoutSchemas = { compilersFactory: { buildValidator: reject, buildSerializer: reject } }
