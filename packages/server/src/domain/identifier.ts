import { limits } from '@svc-admin/types'

const form = new RegExp(limits.identifier.pattern)

/** Whether a text of an open shape, which may be any, is an identifier. */
export const isIdentifier = (text: string): boolean => form.test(text)
