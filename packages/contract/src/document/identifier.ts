import { limits } from '@svc-admin/types'

const form = new RegExp(limits.identifier.pattern)

/** Returns whether a text has the documents' format for identifiers. */
export const isIdentifier = (text: string): boolean => form.test(text)
