import { isArray, isObject, type Json } from '../document/json.ts'

// Marks show which resources in a shared service belong to a run.

/** Returns an email address for notifications that identifies the run. */
export const addressOfRun = (runTag: string): string => `${runTag}@contract.example`

const tagOf = (runTag: string): string => ` (${runTag})`

/** Adds the run's mark to text that only people read. */
export const remarkOfRun = (text: string, runTag: string): string => `${text}${tagOf(runTag)}`

/** Returns whether a value contains the mark of one of these runs. */
export const isMarked = (value: Json, runTags: readonly string[]): boolean => {
  if (typeof value === 'string')
    return runTags.some((tag) => value === addressOfRun(tag) || value.endsWith(tagOf(tag)))
  if (isArray(value)) return value.some((element) => isMarked(element, runTags))
  return isObject(value) && Object.values(value).some((field) => isMarked(field, runTags))
}
