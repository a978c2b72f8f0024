import type { KindField } from '#api'
import type { OtherKind } from './public-types.ts'

type Value = string | number | bigint | boolean | object | null | undefined

/** The type of an object of an undocumented kind, or with undocumented fields. */
export type OtherKindOf<T> = { [Name in keyof T]: Name extends KindField ? OtherKind : T[Name] }

/**
 * Returns its argument, typed for a request as an object of a kind that the documents don't list, or with fields that they
 * don't list. Without it, requests accept documented kinds and fields only.
 *
 * @example
 * const notifications = [otherKind({ typeName: 'NEW_KIND', room: 7 })]
 * await client.createAlertConfig({ groupId, body: { eventTypeName: 'HOST_DOWN', notifications } })
 */
export function otherKind<V extends Value, T extends { readonly [name: string]: V }>(
  value: T,
): OtherKindOf<T> {
  return value as OtherKindOf<T>
}
