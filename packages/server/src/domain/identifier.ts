import { limits } from '@svc-admin/types'

const form = new RegExp(limits.identifier.pattern)

/** Returns whether a string is an identifier. The field that contains the string allows any value. */
export const isIdentifier = (text: string): boolean => form.test(text)
