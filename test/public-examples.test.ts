import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { repository } from './story/copy.ts'

/** The public entry points. The types package is excluded, because it exports only tables and types. */
const entries: Readonly<Record<string, string>> = {
  '@svc-admin/client': 'packages/client/src/index.ts',
  '@svc-admin/client/testing': 'packages/client/src/testing/index.ts',
  '@svc-admin/client/operations': 'packages/client/src/operations.ts',
  '@svc-admin/client/openapi-fetch': 'packages/client/src/openapi-fetch.ts',
  '@svc-admin/client/webhooks': 'packages/client/src/webhooks.ts',
  '@svc-admin/server': 'packages/server/src/index.ts',
  '@svc-admin/contract': 'packages/contract/src/index.ts',
}

/** Names that examples assume. If an example declares a name itself, the test doesn't add it. */
const assumed: Readonly<Record<string, string>> = {
  baseUrl: "'https://cloud.example.com'",
  credentials: "{ accessToken: 'token' }",
  options: "{ baseUrl: 'https://cloud.example.com', version: '2024-05-30' } as const",
  client: "createClient({ baseUrl: 'https://cloud.example.com', version: '2024-05-30' })",
  request: "new Request('https://hooks.example.com')",
  respond: 'createHandlers()',
  target: "demoTarget({ baseUrl: 'http://127.0.0.1:8080' })",
  groupId: "'64b7e1c20f3a5d6e7f809101'",
  alertId: "'67a1b2c30f3a5d6e7f80a001'",
  clusterName: "'orders-eu'",
  snapshotId: "'67a1b2c30f3a5d6e7f80a002'",
}

/** Minimal declarations for other packages: Mock Service Worker, OpenTelemetry and pino. */
const otherPackages = `
declare module 'msw' { export const http: { all(path: string, resolver: unknown): object } }
declare module 'msw/node' { export function setupServer(...handlers: object[]): object }
declare module 'pino' { export function pino(): Record<'debug' | 'warn', (fields: object, message: string) => void> }
declare module '@opentelemetry/api' { export const trace: { getTracer(name: string): import('@svc-admin/client').TracerLike } }
`

interface Export {
  readonly entry: string
  readonly name: string
  /** Whether the export exists at run time. If it doesn't, it is only a type. */
  readonly runs: boolean
  readonly callable: boolean
  readonly sentence: string
  readonly examples: readonly string[]
}

const settings = ts.readConfigFile(join(repository, 'tsconfig.base.json'), ts.sys.readFile).config
const { options } = ts.parseJsonConfigFileContent(settings, ts.sys, repository)
// Examples import types in the same way as values.
const compilerOptions = {
  ...options,
  noEmit: true,
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: false,
}

const roots = Object.values(entries).map((file) => join(repository, file))
const packages = ts.createProgram(roots, compilerOptions)

function readExports(program: ts.Program): Export[] {
  const checker = program.getTypeChecker()
  return Object.entries(entries).flatMap(([entry, file]) => {
    const source = program.getSourceFile(join(repository, file))
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} has no exports`)
    return checker.getExportsOfModule(module).map((each) => {
      const symbol = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each
      const runs = symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Variable | ts.SymbolFlags.Class)
      const type = checker.getTypeOfSymbol(symbol)
      const tags = symbol.getJsDocTags(checker).filter(({ name }) => name === 'example')
      return {
        entry,
        name: each.name,
        runs: runs !== 0,
        callable: runs !== 0 && type.getCallSignatures().length > 0,
        sentence: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
        examples: tags.map(({ text }) => withoutFence(ts.displayPartsToString(text))),
      }
    })
  })
}

const withoutFence = (text: string): string => text.replace(/^```ts\n([\s\S]*)\n```$/, '$1')

const found = readExports(packages)
/** The entry point that exports a name. The example's own package takes precedence. */
const entryOf = (name: string, entry: string): string | undefined =>
  (
    found.find((each) => each.name === name && each.entry === entry) ??
    found.find((each) => each.name === name)
  )?.entry

/** Returns the example, with the names that it assumes and an import for each exported name. */
function programOf(code: string, entry: string): string {
  const lines: string[] = []
  const seen = new Set([...code.matchAll(/(?:const|let|import) \{? ?(\w+)/g)].map(([, name]) => name))
  const add = (text: string): void => {
    for (const [name] of text.replaceAll(/'[^'\n]*'|\/\/.*|(?<!\.)\.\w+/g, '').matchAll(/\b[A-Za-z]\w*\b/g)) {
      if (seen.has(name)) continue
      seen.add(name)
      const source = entryOf(name, entry)
      if (source) lines.unshift(`import { ${name} } from '${source}'`)
      else if (name in assumed) {
        add(assumed[name] ?? '')
        lines.push(`const ${name} = ${assumed[name]}`)
      }
    }
  }
  add(code)
  return `${lines.join('\n')}\n${code}\nexport {}\n`
}

/** Returns the compiler's messages about in-memory files. */
function compile(files: ReadonlyMap<string, string>): string[] {
  const host = ts.createCompilerHost(compilerOptions)
  const { fileExists, readFile } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.readFile = (name) => files.get(name) ?? readFile(name)
  const program = ts.createProgram([...files.keys()], compilerOptions, host, packages)
  return [...files.keys()].flatMap((name) => {
    const source = program.getSourceFile(name)
    const all = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return all.map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
  })
}

const fileOf = (name: string) => join(repository, 'test', `${name}.example.ts`)
const ambient: [string, string] = [fileOf('otherPackages').replace('.ts', '.d.ts'), otherPackages]

describe('public exports', () => {
  test('have a description', () => {
    expect(found.length).toBeGreaterThan(50)
    const silent = found.filter(
      ({ runs, sentence, entry }) => runs && sentence === '' && !entry.endsWith('operations'),
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  test('have an example if they can be called, or are classes of the client', () => {
    const isOfClient = ({ entry }: Export) =>
      entry.startsWith('@svc-admin/client') && !entry.endsWith('operations')
    const needed = found.filter((each) => each.callable || (each.runs && isOfClient(each)))
    const without = needed.filter(({ examples }) => examples.length === 0)
    expect(without.map(({ entry, name }) => `${entry} ${name}`)).toEqual([])
  })

  test('have examples that compile, and an invalid example is detected', () => {
    const files = new Map([ambient])
    for (const { entry, name, examples } of found)
      examples.forEach((code, index) => {
        files.set(fileOf(`${name}-${index}`), programOf(code, entry))
      })
    expect(files.size).toBeGreaterThan(20)
    files.set(fileOf('wrong'), programOf('client.getAlert({ groupId })', '@svc-admin/client'))
    const said = compile(files)
    expect(said).toEqual([expect.stringMatching(/wrong\.example[\s\S]*alertId/)])
  }, 300_000)
})
