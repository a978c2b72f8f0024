import { readdirSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OperationModule } from './operation.ts'

/** A file and the operation that it declares. */
export interface OperationFile {
  readonly file: string
  readonly module: OperationModule
}

const folder = new URL('./', import.meta.url)
/** `.ts` if the server runs from source, or `.js` if it was built. */
const extension = extname(import.meta.url)

/** Loads the operation files from the area folders. The bundled command contains them as a generated list. */
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
 * Operation files have the ID of their operation as their name. All other files have a kebab-case name or a name with a
 * dot.
 */
function isOperationFile(name: string): boolean {
  return new RegExp(`^[a-z]+[A-Z][A-Za-z]*\\${extension}$`).test(name)
}
