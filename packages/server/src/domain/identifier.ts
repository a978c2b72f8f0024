import { limits } from '@svc-admin/types'

/** Whether a text of an open shape, which may be any, is an identifier: the lowercase hexadecimal of its own bytes. */
export const isIdentifier = (text: string): boolean =>
  text.length === limits.identifier.length && Buffer.from(text, 'hex').toString('hex') === text
