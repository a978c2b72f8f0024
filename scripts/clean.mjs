// Deletes a package's previous build. Compilers don't delete the output of removed source files, so it would be
// loaded, packed and cached.
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
