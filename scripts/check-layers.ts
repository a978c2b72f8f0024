/**
 * Checks the import rules in ARCHITECTURE.md. The rules cover imports between packages, imports between the layers of a
 * package, and circular imports.
 */
import { circles, layerProblems } from './layers.ts'
import { readSource, report, repositoryFiles } from './sources.ts'

const files = new Map(repositoryFiles(/\.[cm]?[jt]s$/).map((path) => [path, readSource(path)]))
report('imports follow ARCHITECTURE.md', [
  ...[...files].flatMap(([path, text]) => layerProblems(path, text)),
  ...circles(files),
])
