import { versions as allVersions } from '@svc-admin/types'
import type { Cell } from './api.ts'
import { defaults } from './defaults.ts'

/** The cases that a run includes. If a field is omitted, the run includes all its possible values. */
export interface Selection {
  readonly areas?: readonly string[]
  readonly operations?: readonly string[]
  /** Version IDs. A version selects all operations in its document. */
  readonly versions?: readonly string[]
  /** Requirement IDs, or prefixes of IDs. */
  readonly requirements?: readonly string[]
  readonly shard?: { readonly index: number; readonly of: number }
  readonly readOnly?: boolean
  /** Whether to run only one variant of each rule, and only in the newest version of each operation. */
  readonly brief?: boolean
  /** Whether to run only one case per requirement. A smoke test takes a few seconds. */
  readonly smoke?: boolean
  /** The number of inputs for each check with generated inputs. If the number is 0, the run skips these checks. */
  readonly inputs?: number
}

export const inputsOf = ({ inputs, smoke }: Selection): number => inputs ?? (smoke ? 1 : defaults.inputs)

/** Returns whether a list contains the value. If there is no list, returns `true`. */
const includesOrAll = (list: readonly string[] | undefined, value: string): boolean =>
  !list || list.includes(value)

/**
 * Returns whether the document for an API version contains the given operation version. For each operation, a document
 * contains the latest version that isn't later than the document's date.
 */
const documentContains = (document: string, { operation, version }: Cell): boolean => {
  // Every document contains the same token endpoint.
  if (operation.absolute) return true
  const known = allVersions.findIndex(({ id }) => id === document)
  const inGeneration = allVersions
    .slice(0, known + 1)
    .filter(({ id, generation }) => id in operation.versions && generation === allVersions[known]?.generation)
  return inGeneration.at(-1)?.id === version.id
}

/**
 * Returns whether at least one of the selected documents contains the operation version. If there is no list, all
 * documents are selected.
 */
export const selectsVersion = (versions: Selection['versions'], cell: Cell): boolean =>
  !versions || versions.some((document) => documentContains(document, cell))

export const selectsCell = ({ areas, operations, versions }: Selection, cell: Cell): boolean =>
  includesOrAll(areas, cell.operation.area) &&
  includesOrAll(operations, cell.operation.id) &&
  selectsVersion(versions, cell)

export const selectsRequirement = ({ requirements }: Selection, id: string): boolean =>
  !requirements || requirements.some((prefix) => id.startsWith(prefix))
