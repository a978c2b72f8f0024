/**
 * Deletes the previous build of a package. Compilers don't delete the output of removed source files, so it would still
 * be loaded, packed and cached.
 */
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
