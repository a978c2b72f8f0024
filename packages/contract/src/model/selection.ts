import { versions as allVersions } from '@svc-admin/types'
import type { Cell } from './api.ts'
import { defaults } from './defaults.ts'

/** Which cases to run. An omitted field selects everything. */
export interface Selection {
  readonly areas?: readonly string[]
  readonly operations?: readonly string[]
  /** Version IDs. They select all operations in these versions' documents. */
  readonly versions?: readonly string[]
  /** Requirement IDs, or prefixes of them. */
  readonly requirements?: readonly string[]
  readonly shard?: { readonly index: number; readonly of: number }
  readonly readOnly?: boolean
  /** Whether to run only one variant of each rule, in each operation's newest version. */
  readonly brief?: boolean
  /** Whether to run only one case per requirement, for a quick test that takes seconds. */
  readonly smoke?: boolean
  /** The number of inputs for checks with generated inputs. 0 skips these checks. */
  readonly inputs?: number
}

export const inputsOf = ({ inputs, smoke }: Selection): number => inputs ?? (smoke ? 1 : defaults.inputs)

/** Whether a list includes a value. If there is no list, it includes everything. */
const includesOrAll = (list: readonly string[] | undefined, value: string): boolean =>
  !list || list.includes(value)

/**
 * Whether a document contains the operation in the cell's version. This must be the operation's newest version that
 * is not later than the document.
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

/** Whether at least one selected document contains the cell. If there is no list, every document is selected. */
export const selectsVersion = (versions: Selection['versions'], cell: Cell): boolean =>
  !versions || versions.some((document) => documentContains(document, cell))

export const selectsCell = ({ areas, operations, versions }: Selection, cell: Cell): boolean =>
  includesOrAll(areas, cell.operation.area) &&
  includesOrAll(operations, cell.operation.id) &&
  selectsVersion(versions, cell)

export const selectsRequirement = ({ requirements }: Selection, id: string): boolean =>
  !requirements || requirements.some((prefix) => id.startsWith(prefix))
