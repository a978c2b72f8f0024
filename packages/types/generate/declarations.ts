import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const { factory } = ts

/** The types of one document, given as JSON, by openapi-typescript; open enumerations keep their known values for completion. */
export async function declarationsOf(document: string): Promise<string> {
  const nodes = await openapiTS(document, {
    alphabetize: false,
    transform(schema) {
      const known: unknown = 'x-known-values' in schema ? schema['x-known-values'] : undefined
      return Array.isArray(known) ? openUnion(known.map(String)) : undefined
    },
  })
  return astToString(nodes)
}

/** `'a' | 'b' | (string & {})`: the editor completes the known values and the compiler takes any. */
function openUnion(values: string[]): ts.TypeNode {
  const literals = values.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value)))
  const anyString = factory.createParenthesizedType(
    factory.createIntersectionTypeNode([
      factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      factory.createTypeLiteralNode([]),
    ]),
  )
  return factory.createUnionTypeNode([...literals, anyString])
}
