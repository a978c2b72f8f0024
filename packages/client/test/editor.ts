import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const folder = fileURLToPath(new URL('.', import.meta.url))
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
}

/** Simulates an editor for programs that use the built package. */
export interface Editor {
  /** The program's compiler errors, each as a string. */
  errors(program: string): string[]
  /** Returns the completions at the `|` in the program. */
  completions(program: string): readonly ts.CompletionEntry[]
  /** Returns the documentation of one of the completions at the `|` in the program. */
  documentation(program: string, name: string): string
  /** Returns the hover text for the name before the `|` in the program: its type and its documentation. */
  hover(program: string): string
}

/** Opens an in-memory file in this folder in an editor. */
export function openEditor(): Editor {
  const file = `${folder}program.mts`
  let text = ''
  let version = 0
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? `${version}` : '1'),
    getScriptSnapshot(name) {
      const content = name === file ? text : ts.sys.readFile(name)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath ?? ((name) => name),
  }
  const service = ts.createLanguageService(host)
  const write = (program: string): void => {
    // A new version number makes the compiler check the file again.
    if (text !== program) version += 1
    text = program
  }
  // Writes the program without the `|` marker and returns the marker's position.
  const type = (program: string): number => {
    write(program.replace('|', ''))
    return program.indexOf('|')
  }
  return {
    errors(program) {
      write(program)
      const found = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
      return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
    },
    completions: (program) => service.getCompletionsAtPosition(file, type(program), {})?.entries ?? [],
    documentation(program, name) {
      const position = type(program)
      const details = service.getCompletionEntryDetails(file, position, name, {}, undefined, {}, undefined)
      return ts.displayPartsToString(details?.documentation)
    },
    hover(program) {
      const info = service.getQuickInfoAtPosition(file, type(program) - 1)
      const tags = (info?.tags ?? []).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`)
      return [info?.displayParts, info?.documentation].map(ts.displayPartsToString).concat(tags).join('\n')
    },
  }
}
