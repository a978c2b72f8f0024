// Finds words in the names of exports, files and folders that should be replaced according to GLOSSARY.md.
import { basename, dirname } from 'node:path'
import ts from 'typescript'
import { readSource, report, repositoryFiles } from './sources.ts'

/** Words that must not be used in names, and the words to use instead. */
const replaced: Readonly<Record<string, string>> = {
  answer: 'response',
  answers: 'responses',
  answered: 'a name with "response"',
  besides: 'other',
  doors: 'probes',
  fate: 'outcome',
  fates: 'outcomes',
  kept: 'stored, retained or cached',
  lent: 'provided',
  made: 'created or generated',
  member: 'field or property',
  members: 'fields or properties',
  moment: 'time or timestamp',
  moments: 'times',
  moves: 'transitions',
  nobody: 'the subject',
  said: 'reported',
  shape: 'schema, type or format',
  shapes: 'schemas, types or formats',
  stray: 'leftover',
  strays: 'leftovers',
  taken: 'accepted or used',
  tells: 'reports or shows',
  thing: 'the name of the resource',
  things: 'resources',
  told: 'reported or notified',
  tried: 'tested',
  whoever: 'caller',
}

/** This file may keep its name, because the ledger refers to the heading `decided: Inner shapes`. */
const published = new Set(['decided-inner-shapes.yaml'])

/**
 * Splits a name into words. For example, `acceptsOneMember` and `accepts-one-member` both contain the word `member`.
 */
const wordsOf = (name: string): string[] =>
  name.split(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/).map((word) => word.toLowerCase())

export const replacedWords = (name: string): string[] =>
  published.has(name) ? [] : wordsOf(name).filter((word) => Object.hasOwn(replaced, word))

export function exportedNames(path: string, text: string): { name: string; line: number }[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const at = (node: ts.Node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
  return source.statements.flatMap((statement) => {
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    )
      return statement.exportClause.elements.map(({ name }) => ({ name: name.text, line: at(name) }))
    if (!ts.canHaveModifiers(statement)) return []
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [{ name: name.text, line: at(name) }] : [],
      )
    const { name } = statement as ts.DeclarationStatement
    return name && ts.isIdentifier(name) ? [{ name: name.text, line: at(name) }] : []
  })
}

const advice = (words: readonly string[]): string =>
  words.map((word) => `"${word}": write ${replaced[word]}`).join('; ')

if (process.argv[1] === import.meta.filename) {
  const paths = repositoryFiles(/\.(ts|mts|mjs|css|md|ya?ml)$/).filter(
    (path) => !path.startsWith('.changeset/'),
  )
  const places = new Set(paths.flatMap((path) => [path, dirname(path)]))
  const fileProblems = [...places].flatMap((path) => {
    const words = replacedWords(basename(path))
    return words.length > 0 ? [`${path}: the name has ${advice(words)}`] : []
  })
  const exportProblems = paths
    .filter((path) => /\.m?ts$/.test(path))
    .flatMap((path) =>
      exportedNames(path, readSource(path)).flatMap(({ name, line }) => {
        const words = replacedWords(name)
        return words.length > 0 ? [`${path}:${line}: ${name} has ${advice(words)}`] : []
      }),
    )
  report('names use the words of the glossary', [...fileProblems, ...exportProblems])
}
