import { bodyOf, findUnlistedKinds, methods, type OpenApiDocument } from '@svc-admin/spec'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const { factory } = ts

/** Distinguishes undocumented variants in a union from documented variants. See the client's `OtherKind`. */
const otherKind = `/** An undocumented value: a string that differs from all documented ones. */
declare enum OtherKind {
    notListed = "not listed"
}
export type { OtherKind };
`

/** Creates the types for one JSON document with openapi-typescript. Editors suggest the known values of open enums. */
export async function declarationsOf(document: string): Promise<string> {
  const parsed: OpenApiDocument = JSON.parse(document)
  const { components } = parsed
  omitEmptyContents(parsed)
  const kinds = [...findUnlistedKinds(components.schemas)].map(
    ([component, { property }]) => `#/components/schemas/${component}/${property}`,
  )
  const nodes = await openapiTS(JSON.stringify(parsed), {
    alphabetize: false,
    // A request field with a default is optional.
    defaultNonNullable: false,
    inject: kinds.length > 0 ? otherKind : '',
    transform(schema, { path }) {
      if (kinds.includes(path ?? '')) return factory.createTypeReferenceNode('OtherKind')
      const known: unknown = 'x-known-values' in schema ? schema['x-known-values'] : undefined
      return Array.isArray(known) ? openUnion(known) : undefined
    },
  })
  return astToString(nodes)
}

/**
 * Removes media types from responses without a body, because openapi-typescript would declare a body with the type
 * `unknown`.
 */
function omitEmptyContents({ paths }: OpenApiDocument): void {
  for (const item of Object.values(paths))
    for (const method of methods)
      for (const response of Object.values(item[method]?.responses ?? {}))
        if (!bodyOf(response.content)) delete response.content
}

/**
 * Creates `'a' | 'b' | string` so that the declaration lists the known values and the compiler also accepts other
 * values. With `string & {}`, editors would suggest the values, but openapi-fetch maps this type to an object.
 */
function openUnion(values: unknown[]): ts.TypeNode {
  const isNumeric = values.every((value) => typeof value === 'number')
  const literals = values.map((value) =>
    factory.createLiteralTypeNode(
      isNumeric ? factory.createNumericLiteral(String(value)) : factory.createStringLiteral(String(value)),
    ),
  )
  const any = isNumeric ? ts.SyntaxKind.NumberKeyword : ts.SyntaxKind.StringKeyword
  return factory.createUnionTypeNode([...literals, factory.createKeywordTypeNode(any)])
}
