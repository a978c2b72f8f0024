// Removes what an earlier build left in the folder of a package: a compiler writes files and takes none away, so that
// what belongs to no source any more would be loaded, packed and cached.
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
