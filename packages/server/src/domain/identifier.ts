import { limits } from '@svc-admin/types'

const form = new RegExp(limits.identifier.pattern)

/** Returns whether a string is an identifier. Use this check for fields that can have any value in the schema. */
export const isIdentifier = (text: string): boolean => form.test(text)
