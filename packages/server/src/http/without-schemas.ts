const refuse = (): never => {
  throw new Error('Routes of Fastify have no schemas here: what is sent is checked by the specification')
}

/** Fastify would read Ajv in all its dialects, and a writer of JSON, for schemas that no route of ours gives it. */
export const withoutSchemas = { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } }
