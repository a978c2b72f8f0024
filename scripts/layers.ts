/**
 * The import rules, which also apply to imports of types. Data flows in only one direction: spec → types → { client,
 * server, contract, docs }. For example, the kit can't test the server with the server's own code. In a package, a
 * folder can only import from the folders before it in the list. Circular imports aren't allowed.
 */
import { posix } from 'node:path'
import ts from 'typescript'

/** The packages that each package can import at run time. Tests can also import the packages that they test. */
const packages: Readonly<Record<string, readonly string[]>> = {
  spec: [],
  'packages/types': ['spec'],
  'packages/client': ['packages/types'],
  'packages/server': ['spec', 'packages/types'],
  'packages/contract': ['spec', 'packages/types'],
  'packages/docs': ['spec', 'packages/types'],
}

/**
 * The layers of each package, starting with the lowest. A layer is a folder or a top-level file in the package's
 * source, and can import from the layers before it. Files that aren't listed can import from all layers.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  'packages/server/src/': [
    ...[
      'byte-order-mark',
      'known-variables',
      'domain',
      'specification',
      'versions',
      'persistence',
      'options',
    ],
    ...['auth', 'world', 'alerting', 'backups', 'operations', 'http', 'sandbox'],
  ],
  'packages/contract/src/': [
    ...['document', 'http', 'model', 'judges', 'target', 'run-context', 'given', 'check', 'resources'],
    ...['cases', 'rules', 'run', 'report', 'run-clock', 'kit', 'command'],
  ],
  'packages/docs/src/': [
    ...['content', 'inputs', 'model', 'samples', 'diagram', 'collections', 'browser', 'pages', 'site', 'mcp'],
  ],
}

const isTest = (path: string): boolean =>
  /\.test\.ts$|\/(test|testing|mutants|bench|generate|fixtures)\/|^packages\/docs\/browser\//.test(path)

/** Returns the disallowed imports in a file. Paths are relative to the root of the repository. */
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
    const isFine = !layer || !known || layer.place >= known.place
    return isFine ? [] : [`${path}: ${layer.name} must not import ${known.name} (${name})`]
  })
}

/** Returns the circular imports. Each circular import is a list of the files that import each other. */
export function circles(files: ReadonlyMap<string, string>): string[] {
  const imports = new Map(
    [...files].map(([path, text]) => [
      path,
      importsOf(path, text).flatMap((name) => {
        const target = name.startsWith('.') ? targetOf(path, name) : undefined
        return target !== undefined && files.has(target) ? [target] : []
      }),
    ]),
  )
  return connected(imports).map((circle) => `circular imports: ${circle.sort().join(', ')}`)
}

/** Returns the strongly connected components with at least two nodes (Tarjan's algorithm). */
function connected(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const [order, low] = [new Map<string, number>(), new Map<string, number>()]
  const open: string[] = []
  const found: string[][] = []
  const visit = (node: string): number => {
    const own = order.size
    order.set(node, own)
    low.set(node, own)
    open.push(node)
    for (const next of edges.get(node) ?? []) {
      const reached = order.has(next) ? (open.includes(next) ? (order.get(next) ?? own) : own) : visit(next)
      low.set(node, Math.min(low.get(node) ?? own, reached))
    }
    if (low.get(node) === own) {
      const set = open.splice(open.indexOf(node))
      if (set.length > 1) found.push(set)
    }
    return low.get(node) ?? own
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return found
}

function homeOf(path: string): string | undefined {
  return Object.keys(packages).find((folder) => path === folder || path.startsWith(`${folder}/`))
}

/**
 * Returns the layer of a file. A top-level file that isn't listed has no layer. A folder that isn't listed is below all
 * other layers.
 */
function layerOf(path: string): { readonly name: string; readonly place: number } | undefined {
  const sources = Object.keys(layers).find((folder) => path.startsWith(folder))
  if (sources === undefined) return undefined
  const [first = '', ...rest] = path.slice(sources.length).split('/')
  const name = first.replace(/\.ts$/, '')
  const place = layers[sources]?.indexOf(name) ?? -1
  return place < 0 && rest.length === 0 ? undefined : { name, place }
}
/** Returns the file that an import refers to, or undefined if the file isn't in this repository. */
function targetOf(path: string, name: string): string | undefined {
  if (name.startsWith('.')) return posix.join(posix.dirname(path), name)
  const sibling = /^@svc-admin\/([\w-]+)/.exec(name)?.[1]
  return sibling && (sibling === 'spec' ? 'spec' : `packages/${sibling}`)
}

/** Returns all modules and files that a source file loads. */
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

/**
 * Returns the node that names the loaded file: the module specifier in a declaration, `import()` or `require()`, or a
 * URL that is relative to the file.
 */
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
