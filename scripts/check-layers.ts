// Keeps the arrow of ARCHITECTURE.md, between packages and inside of the server.
import { layerProblems } from './layers.ts'
import { readSource, report, repositoryFiles } from './sources.ts'

report(
  'imports point one way',
  repositoryFiles(/\.[cm]?[jt]s$/).flatMap((path) => layerProblems(path, readSource(path))),
)
