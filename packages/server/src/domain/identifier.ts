import { limits } from '@svc-admin/types'

const form = new RegExp(limits.identifier.pattern)

/** Whether a string from a field that allows any value is an identifier. */
export const isIdentifier = (text: string): boolean => form.test(text)
