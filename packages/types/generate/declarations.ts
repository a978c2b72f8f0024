import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const { factory } = ts

/** The types of one document, given as JSON, by openapi-typescript; open enumerations keep their known values for completion. */
export async function declarationsOf(document: string): Promise<string> {
  const nodes = await openapiTS(document, {
    alphabetize: false,
    transform(schema) {
      const known: unknown = 'x-known-values' in schema ? schema['x-known-values'] : undefined
      return Array.isArray(known) ? openUnion(known) : undefined
    },
  })
  return astToString(nodes)
}

/** `'a' | 'b' | (string & {})`: the editor completes the known values and the compiler takes any of their type. */
function openUnion(values: unknown[]): ts.TypeNode {
  const isNumeric = values.every((value) => typeof value === 'number')
  const literals = values.map((value) =>
    factory.createLiteralTypeNode(
      isNumeric ? factory.createNumericLiteral(String(value)) : factory.createStringLiteral(String(value)),
    ),
  )
  const any = isNumeric ? ts.SyntaxKind.NumberKeyword : ts.SyntaxKind.StringKeyword
  const anyOther = factory.createParenthesizedType(
    factory.createIntersectionTypeNode([
      factory.createKeywordTypeNode(any),
      factory.createTypeLiteralNode([]),
    ]),
  )
  return factory.createUnionTypeNode([...literals, anyOther])
}
