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
 * Writes the modules in `src/` and their declarations file by file, without checking the program. `npm run
 * typecheck` does that; here it would delay every build by three seconds.
 *
 * @throws Error if the declaration of a file requires types from other files
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
    // The compiler doesn't change file extensions in declarations.
    writeFileSync(
      join(dist, `${name}.d.ts`),
      declaration.outputText.replaceAll(/(from '\.\/[^']+)\.ts'/g, "$1.js'"),
    )
  }
}
