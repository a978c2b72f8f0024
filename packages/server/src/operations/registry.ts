import { readdirSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OperationId, operations } from '@svc-admin/types'
import type { OperationModule } from './operation.ts'

export type OperationRegistry = ReadonlyMap<OperationId, OperationModule>

const folder = new URL('./', import.meta.url)
/** `.ts` when run from source, `.js` when built. */
const extension = extname(import.meta.url)

let loaded: Promise<OperationRegistry> | undefined

/**
 * Loads every operation: the files of the area folders, each of which declares the operation it is named after.
 *
 * @throws {Error} if the files and the operations of the specification differ, in either direction.
 */
export function loadOperations(): Promise<OperationRegistry> {
  loaded ??= loadFiles().then((modules) => checked(modules, Object.keys(operations)))
  return loaded
}

/** The modules by id. @throws {Error} naming every operation without a file and every file without one. */
export function checked(
  modules: readonly { readonly file: string; readonly module: OperationModule }[],
  expected: readonly string[],
): OperationRegistry {
  const misnamed = modules.filter(({ file, module }) => file !== module.id)
  const found = new Set<string>(modules.map(({ module }) => module.id))
  const missing = expected.filter((id) => !found.has(id))
  const surplus = [...found].filter((id) => !expected.includes(id))
  const complaints = [
    ...misnamed.map(({ file, module }) => `${file} declares ${module.id}`),
    ...missing.map((id) => `${id} has no file`),
    ...surplus.map((id) => `${id} is not in the specification`),
  ]
  if (complaints.length > 0) throw new Error(`Operations and specification differ: ${complaints.join('; ')}`)
  return new Map(modules.map(({ module }) => [module.id, module]))
}

async function loadFiles() {
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

/** Files that are named by an operation; those beside them are written in kebab case or with a dot. */
function isOperationFile(name: string): boolean {
  return new RegExp(`^[a-z]+[A-Z][A-Za-z]*\\${extension}$`).test(name)
}
