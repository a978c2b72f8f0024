import { versions as allVersions } from '@svc-admin/types'
import type { Cell } from './api.ts'
import { defaults } from './defaults.ts'

/** Which cases to run. Absent fields select everything. */
export interface Selection {
  readonly areas?: readonly string[]
  readonly operations?: readonly string[]
  /** Ids of versions. Selects all operations in these versions' documents. */
  readonly versions?: readonly string[]
  /** Requirement ids or prefixes. */
  readonly requirements?: readonly string[]
  readonly shard?: { readonly index: number; readonly of: number }
  readonly readOnly?: boolean
  /** One variant of every rule, in the newest version of every operation. */
  readonly brief?: boolean
  /** One case per requirement, for a quick test that takes seconds. */
  readonly smoke?: boolean
  /** Number of inputs for checks with generated inputs. 0 skips these checks. */
  readonly inputs?: number
}

export const inputsOf = ({ inputs, smoke }: Selection): number => inputs ?? (smoke ? 1 : defaults.inputs)

/** Whether a list includes a value. An absent list includes everything. */
const includesOrAll = (list: readonly string[] | undefined, value: string): boolean =>
  !list || list.includes(value)

/**
 * Whether a version's document contains the operation in the cell's version, which must be the newest that is not
 * later.
 */
const documentContains = (document: string, { operation, version }: Cell): boolean => {
  // The token endpoint is the same in every document.
  if (operation.absolute) return true
  const known = allVersions.findIndex(({ id }) => id === document)
  const inGeneration = allVersions
    .slice(0, known + 1)
    .filter(({ id, generation }) => id in operation.versions && generation === allVersions[known]?.generation)
  return inGeneration.at(-1)?.id === version.id
}

/** Whether any of the selected documents contains the cell. An absent list selects everything. */
export const selectsVersion = (versions: Selection['versions'], cell: Cell): boolean =>
  !versions || versions.some((document) => documentContains(document, cell))

export const selectsCell = ({ areas, operations, versions }: Selection, cell: Cell): boolean =>
  includesOrAll(areas, cell.operation.area) &&
  includesOrAll(operations, cell.operation.id) &&
  selectsVersion(versions, cell)

export const selectsRequirement = ({ requirements }: Selection, id: string): boolean =>
  !requirements || requirements.some((prefix) => id.startsWith(prefix))
