import { readdirSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OperationModule } from './operation.ts'

/** A file that contains an operation. */
export interface OperationFile {
  readonly file: string
  readonly module: OperationModule
}

const folder = new URL('./', import.meta.url)
/** The extension of operation files, which is `.ts` in the source and `.js` in the built package. */
const extension = extname(import.meta.url)

/** Loads the operation files from the area folders. The bundled command uses a generated list instead. */
export function loadOperationFiles(): Promise<readonly OperationFile[]> {
  const areas = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const files = areas.flatMap((area) =>
    readdirSync(fileURLToPath(new URL(`${area.name}/`, folder)))
      .filter((name) => isOperationFile(name))
      .map((name) => ({ file: basename(name, extension), url: new URL(`${area.name}/${name}`, folder) })),
  )
  return Promise.all(
    files.map(async ({ file, url }) => {
      const { default: module }: { default: OperationModule } = await import(url.href)
      return { file, module }
    }),
  )
}

/**
 * Returns whether a file contains an operation. Operation files are named after their operation ID. All other files
 * have a name in kebab case or a name that contains a dot.
 */
function isOperationFile(name: string): boolean {
  return new RegExp(`^[a-z]+[A-Z][A-Za-z]*\\${extension}$`).test(name)
}
