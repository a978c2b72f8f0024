import { boundsSentence, type OpenApiDocument, type Schema } from '@svc-admin/spec'

/** Adds numeric limits and parameter defaults to the descriptions because openapi-typescript omits them. */
export function describeBounds(document: OpenApiDocument): OpenApiDocument {
  const { schemas, parameters } = document.components
  const resolved = (schema: Schema): Schema => ({ ...schemas[nameOf(schema.$ref)], ...schema })

  const describe = (schema: Schema): Schema => {
    const { default: _, ...bounded } = resolved(schema)
    const { properties, items, additionalProperties } = schema
    return {
      ...schema,
      ...withSentence(bounded.description, boundsSentence(bounded)),
      ...(properties && { properties: mapped(properties, describe) }),
      ...(items && { items: describe(items) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: describe(additionalProperties),
      }),
    }
  }

  const describedParameters = mapped(parameters, (parameter) => ({
    ...parameter,
    ...withSentence(parameter.description, boundsSentence(resolved(parameter.schema))),
  }))
  const components = {
    ...document.components,
    schemas: mapped(schemas, describe),
    parameters: describedParameters,
  }
  return { ...document, components }
}

const nameOf = (reference = ''): string => reference.split('/').at(-1) ?? ''

const withSentence = (description = '', sentence = ''): { description?: string } =>
  sentence === '' ? {} : { description: `${description.trim()} ${sentence}`.trim() }

function mapped<T, U>(map: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
}
