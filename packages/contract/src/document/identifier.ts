import { limits } from '@svc-admin/types'

const form = new RegExp(limits.identifier.pattern)

/** Returns whether a string matches the identifier format in the OpenAPI documents. */
export const isIdentifier = (text: string): boolean => form.test(text)
