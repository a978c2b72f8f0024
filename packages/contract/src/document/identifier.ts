import { limits } from '@svc-admin/types'

const form = new RegExp(limits.identifier.pattern)

/** Whether a text has the identifier format from the documents. */
export const isIdentifier = (text: string): boolean => form.test(text)
