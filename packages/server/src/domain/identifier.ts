import { limits } from '@svc-admin/types'

const form = new RegExp(limits.identifier.pattern)

/** Returns whether a string is an identifier. Call this function for fields whose schema allows any value. */
export const isIdentifier = (text: string): boolean => form.test(text)
