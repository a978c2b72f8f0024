import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './read-yaml.ts'

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  isolatedDeclarations: true,
  rewriteRelativeImportExtensions: true,
}

/**
 * Compiles each file in `src/` and creates its declarations. Types are checked separately with `npm run typecheck`,
 * because checking them here would add three seconds to every build.
 *
 * @throws Error if a file's declarations depend on inferred types from other files.
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
    // The compiler doesn't change `.ts` to `.js` in declarations.
    writeFileSync(
      join(dist, `${name}.d.ts`),
      declaration.outputText.replaceAll(/(from '\.\/[^']+)\.ts'/g, "$1.js'"),
    )
  }
}
