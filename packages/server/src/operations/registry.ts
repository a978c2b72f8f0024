import { type OperationId, operations } from '@svc-admin/types'
import type { OperationModule } from './operation.ts'
import { loadOperationFiles, type OperationFile } from './operation-files.ts'

export type OperationRegistry = ReadonlyMap<OperationId, OperationModule>

let loaded: Promise<OperationRegistry> | undefined

/**
 * Loads all operations. Each operation is in a file with its name, in one of the area folders.
 *
 * @throws {Error} if the files don't match the operations in the specification.
 */
export function loadOperations(): Promise<OperationRegistry> {
  loaded ??= loadOperationFiles().then((modules) => checked(modules, Object.keys(operations)))
  return loaded
}

/**
 * Returns the operation modules, keyed by operation ID.
 *
 * @throws {Error} with a list of operations without a file and files without an operation.
 */
export function checked(modules: readonly OperationFile[], expected: readonly string[]): OperationRegistry {
  const misnamed = modules.filter(({ file, module }) => file !== module.id)
  const found = new Set<string>(modules.map(({ module }) => module.id))
  const missing = expected.filter((id) => !found.has(id))
  const surplus = [...found].filter((id) => !expected.includes(id))
  const complaints = [
    ...misnamed.map(({ file, module }) => `${file} declares ${module.id}`),
    ...missing.map((id) => `${id} has no file`),
    ...surplus.map((id) => `${id} is not in the specification`),
  ]
  if (complaints.length > 0)
    throw new Error(`The operations and the specification differ: ${complaints.join('; ')}`)
  return new Map(modules.map(({ module }) => [module.id, module]))
}
