import { loadDemo } from '@svc-admin/spec'
import { type OperationId, operations } from '@svc-admin/types'
import { problem } from '../src/domain/problem.ts'

import type { OperationModule } from '../src/operations/operation.ts'
import { loadFiles, type OperationRegistry } from '../src/operations/registry.ts'
import { isSeedable, seed } from '../src/sandbox/seed.ts'
import type { World } from '../src/world/world.ts'

/**
 * Stands in while areas are missing: their operations fail, and their part of the demo is left out. The start
 * itself refuses a server that lacks an operation.
 */
export async function unfinishedOperations(): Promise<OperationRegistry> {
  const modules = (await loadFiles()).map(({ module }): [OperationId, OperationModule] => [module.id, module])
  const stubs = Object.values(operations).map(({ id }): [OperationId, OperationModule] => [id, missing(id)])
  return new Map([...stubs, ...modules])
}

function missing(id: OperationId): OperationModule {
  return {
    id,
    handle: async () => {
      throw problem('UNEXPECTED_ERROR', { detail: `${id} has no file yet.` })
    },
  }
}

export async function seedWhatIsSeedable(world: World): Promise<void> {
  await seed(world, Object.fromEntries(Object.entries(loadDemo()).filter(([name]) => isSeedable(name))))
}
