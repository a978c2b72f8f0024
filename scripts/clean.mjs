// Deletes a package's previous build. Compilers don't delete the output of source files that were removed, so it would
// still be loaded, packed and cached.
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
