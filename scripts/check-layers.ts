// Checks the import rules of ARCHITECTURE.md: between packages, between the layers of a package, and no circles.
import { circles, layerProblems } from './layers.ts'
import { readSource, report, repositoryFiles } from './sources.ts'

const files = new Map(repositoryFiles(/\.[cm]?[jt]s$/).map((path) => [path, readSource(path)]))
report('imports follow ARCHITECTURE.md', [
  ...[...files].flatMap(([path, text]) => layerProblems(path, text)),
  ...circles(files),
])
