// Who may import whom. The data flows one way: spec → types → { client, server, contract, docs }. One import in the
// other direction and the kit would test the server with the server's own code.
import { posix } from 'node:path'
import ts from 'typescript'

/** What each package may import of the others at run time; tests may import what they test against. */
const packages: Readonly<Record<string, readonly string[]>> = {
  spec: [],
  'packages/types': ['spec'],
  'packages/client': ['packages/types'],
  'packages/server': ['spec', 'packages/types'],
  'packages/contract': ['spec', 'packages/types'],
  'packages/docs': ['spec', 'packages/types'],
}

const server = 'packages/server/src/'

/** What a folder of the server may import, besides itself. Files at the top may import everything. */
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

/** What a file imports that it should not; paths are relative to the root of the repository. */
export function layerProblems(path: string, text: string): string[] {
  const home = homeOf(path)
  if (!home || isTest(path)) return []
  return importsOf(path, text).flatMap((name) => {
    const target = targetOf(path, name)
    const other = target && homeOf(target)
    if (!target || !other) return []
    if (other !== home)
      return packages[home]?.includes(other) ? [] : [`${path}: imports ${name}, which ${home} must not know`]
    const [layer, known] = [layerOf(path), layerOf(target)]
    const isFine = !layer || !known || layer === known || !path.startsWith(`${server}${layer}/`)
    return isFine || serverLayers[layer]?.includes(known)
      ? []
      : [`${path}: imports ${name}; ${layer} must not know ${known}`]
  })
}

/** The package that a file belongs to. */
function homeOf(path: string): string | undefined {
  return Object.keys(packages).find((folder) => path === folder || path.startsWith(`${folder}/`))
}

/** The folder of the server that a file is in, or the name of a file at the top. */
function layerOf(path: string): string | undefined {
  if (!path.startsWith(server)) return undefined
  return path.slice(server.length).split('/')[0]?.replace(/\.ts$/, '')
}

/** Where an import leads within the repository. */
function targetOf(path: string, name: string): string | undefined {
  if (name.startsWith('.')) return posix.join(posix.dirname(path), name)
  const sibling = /^@svc-admin\/([\w-]+)/.exec(name)?.[1]
  return sibling && (sibling === 'spec' ? 'spec' : `packages/${sibling}`)
}

/** Every module and file that a text names, in whatever way it is loaded. */
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

/** What names the module in a declaration, an `import()`, a `require()`, or an address beside the file. */
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
