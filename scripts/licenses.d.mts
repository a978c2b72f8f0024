import type { Metafile } from 'esbuild'

export function licensesOf(metafile: Metafile, folder?: string): string
