import { limits } from '@svc-admin/types'

const form = new RegExp(limits.identifier.pattern)

/** Returns whether a string is an identifier. Used for fields with a schema that allows any value. */
export const isIdentifier = (text: string): boolean => form.test(text)
