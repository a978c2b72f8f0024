import { isArray, isObject, type Json } from '../document/json.ts'

// By what a run knows things of its own on a service that others use, and others know that they are of a run.

/** An address that is told of alerts, and says which run raised them. */
export const addressOfRun = (runTag: string): string => `${runTag}@contract.example`

const tagOf = (runTag: string): string => ` (${runTag})`

/** A text that people read, with the run that it was written by. */
export const remarkOfRun = (text: string, runTag: string): string => `${text}${tagOf(runTag)}`

/** Whether something says, in a place that runs write their marks to, which of some runs it is of. */
export const isMarked = (value: Json, runTags: readonly string[]): boolean => {
  if (typeof value === 'string')
    return runTags.some((tag) => value === addressOfRun(tag) || value.endsWith(tagOf(tag)))
  if (isArray(value)) return value.some((element) => isMarked(element, runTags))
  return isObject(value) && Object.values(value).some((field) => isMarked(field, runTags))
}
