import { limits } from '@svc-admin/types'

const form = new RegExp(limits.identifier.pattern)

/** Whether a text has the form of an identifier, as the documents state it. */
export const isIdentifier = (text: string): boolean => form.test(text)
