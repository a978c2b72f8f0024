import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './sources.ts'

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  isolatedDeclarations: true,
  rewriteRelativeImportExtensions: true,
}

/**
 * Writes the modules of `src/` and their declarations, file by file: the program as a whole is checked by
 * `npm run typecheck`, and every build that waits for the documents would wait three seconds for it here too.
 *
 * @throws Error when a file cannot be declared without looking into others.
 */
export function writeModules(dist: string): void {
  const source = join(root, 'src')
  for (const fileName of readdirSync(source).filter((name) => /(?<!\.test)\.ts$/.test(name))) {
    const text = readFileSync(join(source, fileName), 'utf8')
    const options = { fileName, compilerOptions, reportDiagnostics: true }
    const declaration = ts.transpileDeclaration(text, options)
    const [fault] = declaration.diagnostics ?? []
    if (fault) throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`)
    const name = fileName.replace(/\.ts$/, '')
    writeFileSync(join(dist, `${name}.js`), ts.transpileModule(text, options).outputText)
    // The compiler leaves the endings in declarations as they are.
    writeFileSync(
      join(dist, `${name}.d.ts`),
      declaration.outputText.replaceAll(/(from '\.\/[^']+)\.ts'/g, "$1.js'"),
    )
  }
}
