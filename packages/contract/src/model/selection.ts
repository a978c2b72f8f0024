import { versions as allVersions } from '@svc-admin/types'
import type { Cell } from './api.ts'
import { defaults } from './defaults.ts'

/** Selects the cases to run. An omitted field selects everything. */
export interface Selection {
  readonly areas?: readonly string[]
  readonly operations?: readonly string[]
  /** Version IDs. All operations in these versions' documents are selected. */
  readonly versions?: readonly string[]
  /** The IDs of requirements, or their first parts. */
  readonly requirements?: readonly string[]
  readonly shard?: { readonly index: number; readonly of: number }
  readonly readOnly?: boolean
  /** Whether to run each rule with only one variant, in each operation's newest version. */
  readonly brief?: boolean
  /** Whether to run only one case per requirement, for a quick test that takes seconds. */
  readonly smoke?: boolean
  /** The number of inputs for checks with generated inputs. 0 skips these checks. */
  readonly inputs?: number
}

export const inputsOf = ({ inputs, smoke }: Selection): number => inputs ?? (smoke ? 1 : defaults.inputs)

/** Returns whether a list contains a value. A missing list counts as containing everything. */
const includesOrAll = (list: readonly string[] | undefined, value: string): boolean =>
  !list || list.includes(value)

/**
 * Returns whether a document contains the operation in the cell's version. It does if it is the operation's latest
 * version on or before the document's date.
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

/** Whether at least one selected document contains the cell. Without a list, all documents are selected. */
export const selectsVersion = (versions: Selection['versions'], cell: Cell): boolean =>
  !versions || versions.some((document) => documentContains(document, cell))

export const selectsCell = ({ areas, operations, versions }: Selection, cell: Cell): boolean =>
  includesOrAll(areas, cell.operation.area) &&
  includesOrAll(operations, cell.operation.id) &&
  selectsVersion(versions, cell)

export const selectsRequirement = ({ requirements }: Selection, id: string): boolean =>
  !requirements || requirements.some((prefix) => id.startsWith(prefix))
