// Limits the length of files and functions, because they tend to grow over time.
import ts from 'typescript'
import { readSource, report, repositoryFiles } from './sources.ts'

const fileLimit = 400
const functionLimit = 80

export function problemsOf(path: string, text: string): string[] {
  const lines = text.split('\n').length - 1
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return [
    ...(lines > fileLimit ? [`${path}: has ${lines} lines, but the maximum is ${fileLimit}`] : []),
    ...longFunctions(source, source).map(
      ({ line, length }) =>
        `${path}:${line}: function has ${length} lines, but the maximum is ${functionLimit}`,
    ),
  ]
}

function longFunctions(node: ts.Node, source: ts.SourceFile): { line: number; length: number }[] {
  const start = source.getLineAndCharacterOfPosition(node.getStart(source)).line
  const length = source.getLineAndCharacterOfPosition(node.end).line - start + 1
  const own =
    ts.isFunctionLike(node) && length > functionLimit && !isSuite(node) ? [{ line: start + 1, length }] : []
  return [...own, ...node.getChildren(source).flatMap((child) => longFunctions(child, source))]
}

/**
 * Returns whether a node is a `describe` block. `describe` blocks can have any length because they only group tests.
 */
function isSuite(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && /^describe\b/.test(node.parent.expression.getText())
}

const files = repositoryFiles(/\.(ts|mts|mjs|js|css)$/)
report(
  'files and functions are within their length limits',
  files.flatMap((path) => problemsOf(path, readSource(path))),
)
