// The import rules. Data flows in one direction: spec → types → { client, server, contract, docs }. Otherwise
// the kit could, for example, test the server with the server's own code.
import { posix } from 'node:path'
import ts from 'typescript'

/** The packages that each package may import at run time. Tests may also import the packages they test. */
const packages: Readonly<Record<string, readonly string[]>> = {
  spec: [],
  'packages/types': ['spec'],
  'packages/client': ['packages/types'],
  'packages/server': ['spec', 'packages/types'],
  'packages/contract': ['spec', 'packages/types'],
  'packages/docs': ['spec', 'packages/types'],
}

const server = 'packages/server/src/'

/**
 * The folders that each server folder may import in addition to itself. Top-level files may import
 * everything.
 */
const serverLayers: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  specification: [],
  persistence: ['domain'],
  auth: ['domain', 'persistence', 'world'],
  world: ['auth', 'domain', 'persistence'],
  versions: [],
  alerting: ['domain', 'persistence', 'specification', 'world', 'operations'],
  backups: ['domain', 'persistence', 'world'],
  operations: ['alerting', 'auth', 'backups', 'domain', 'options', 'persistence', 'world'],
  http: ['auth', 'domain', 'operations', 'options', 'persistence', 'specification', 'versions', 'world'],
  sandbox: ['alerting', 'auth', 'backups', 'domain', 'http', 'persistence', 'specification', 'world'],
}

const isTest = (path: string): boolean =>
  /\.test\.ts$|\/(test|testing|mutants|bench|browser|generate|fixtures)\//.test(path)

/** Returns the forbidden imports of a file. Paths are relative to the repository root. */
export function layerProblems(path: string, text: string): string[] {
  const home = homeOf(path)
  if (!home || isTest(path)) return []
  return importsOf(path, text).flatMap((name) => {
    const target = targetOf(path, name)
    const other = target && homeOf(target)
    if (!target || !other) return []
    if (other !== home)
      return packages[home]?.includes(other) ? [] : [`${path}: ${home} must not import ${name}`]
    const [layer, known] = [layerOf(path), layerOf(target)]
    const isFine = !layer || !known || layer === known || !path.startsWith(`${server}${layer}/`)
    return isFine || serverLayers[layer]?.includes(known)
      ? []
      : [`${path}: ${layer} must not import ${known} (${name})`]
  })
}

/** The package that contains a file. */
function homeOf(path: string): string | undefined {
  return Object.keys(packages).find((folder) => path === folder || path.startsWith(`${folder}/`))
}

/** The server folder that contains a file, or the name of a top-level file. */
function layerOf(path: string): string | undefined {
  if (!path.startsWith(server)) return undefined
  return path.slice(server.length).split('/')[0]?.replace(/\.ts$/, '')
}

/** Resolves an import within the repository. */
function targetOf(path: string, name: string): string | undefined {
  if (name.startsWith('.')) return posix.join(posix.dirname(path), name)
  const sibling = /^@svc-admin\/([\w-]+)/.exec(name)?.[1]
  return sibling && (sibling === 'spec' ? 'spec' : `packages/${sibling}`)
}

/** All modules and files that a source file loads. */
function importsOf(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    const named = loadedBy(node)
    if (named && ts.isStringLiteralLike(named)) names.push(named.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

/** The module specifier of a declaration, `import()`, `require()` or a URL relative to the file. */
function loadedBy(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isExternalModuleReference(node)) return node.expression
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
  if (ts.isNewExpression(node) && node.expression.getText() === 'URL')
    return node.arguments?.[1]?.getText() === 'import.meta.url' ? node.arguments[0] : undefined
  if (!ts.isCallExpression(node)) return undefined
  const isLoading =
    node.expression.kind === ts.SyntaxKind.ImportKeyword ||
    /^(require|(require|import\.meta)\.resolve)$/.test(node.expression.getText())
  return isLoading ? node.arguments[0] : undefined
}
