/**
 * Deletes a package's previous build. Compilers don't delete the output for source files that were removed,
 * so the old output would still be loaded, packed and cached.
 */
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
