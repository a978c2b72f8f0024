import { isArray, isObject, type Json } from '../document/json.ts'

// Marks that identify a run's resources in a shared service.

/** An email address for notifications that identifies the run. */
export const addressOfRun = (runTag: string): string => `${runTag}@contract.example`

const tagOf = (runTag: string): string => ` (${runTag})`

/** Adds the run's mark to a text that only people read. */
export const remarkOfRun = (text: string, runTag: string): string => `${text}${tagOf(runTag)}`

/** Whether a value contains the mark of one of the given runs. */
export const isMarked = (value: Json, runTags: readonly string[]): boolean => {
  if (typeof value === 'string')
    return runTags.some((tag) => value === addressOfRun(tag) || value.endsWith(tagOf(tag)))
  if (isArray(value)) return value.some((element) => isMarked(element, runTags))
  return isObject(value) && Object.values(value).some((field) => isMarked(field, runTags))
}
