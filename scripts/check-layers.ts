// Checks the import rules of ARCHITECTURE.md, between packages and within the server.
import { layerProblems } from './layers.ts'
import { readSource, report, repositoryFiles } from './sources.ts'

report(
  'imports follow ARCHITECTURE.md',
  repositoryFiles(/\.[cm]?[jt]s$/).flatMap((path) => layerProblems(path, readSource(path))),
)
