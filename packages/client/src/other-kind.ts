import type { KindField } from '#api'
import type { OtherKind } from './public-types.ts'

type Value = string | number | bigint | boolean | object | null | undefined

/** The type of an object that has an undocumented kind or undocumented fields. */
export type OtherKindOf<T> = { [Name in keyof T]: Name extends KindField ? OtherKind : T[Name] }

/**
 * Returns its argument, typed so that requests accept undocumented kinds and fields. Without this function, requests
 * accept only documented kinds and fields.
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
