import type { components, paths } from '@svc-admin/types/newest'
import type { components as First } from '@svc-admin/types/v1.0'
import { expectTypeOf, test } from 'vitest'

type Notification = components['schemas']['Notification']

/** This function checks types. It is compiled but never runs. */
export function types(notification: Notification): void {
  if (notification.typeName === 'EMAIL') {
    expectTypeOf(notification).toEqualTypeOf<components['schemas']['EmailNotification']>()
  }
  // @ts-expect-error some notification types don't have this field
  notification.emailAddress
  if (String(notification.typeName) === 'NEW_KIND') {
    expectTypeOf(notification.typeName).toExtend<string | undefined>()
  }
}

/** openapi-fetch maps the objects in responses, but leaves plain strings unchanged. */
type Readable<T> = T extends object ? { [Name in keyof T]: Readable<T[Name]> } : T

test('open enumerations stay strings in mapped types', () => {
  expectTypeOf<Readable<components['schemas']['Alert']>['status']>().toExtend<string>()
  expectTypeOf<Readable<components['schemas']['ReplicaSetSnapshot']>['status']>().toEqualTypeOf<string>()
})

test('fields with a default are optional in requests', () => {
  type Body = { eventTypeName: 'HOST_DOWN'; notifications: [] } // `enabled` has a default
  expectTypeOf<Body>().toExtend<components['schemas']['AlertConfigRequest']>()
})

test('responses without a body have no content', () => {
  type Deleted = paths['/groups/{groupId}/alertConfigs/{alertConfigId}']['delete']['responses'][204]
  expectTypeOf<Deleted['content']>().toEqualTypeOf<undefined>()
})

test('narrows documented types of notifications in all versions', () => {
  expectTypeOf<First['schemas']['OtherNotification']>().toExtend<components['schemas']['OtherNotification']>()
  expectTypeOf<components['schemas']['OtherNotification']>().toExtend<Notification>()
})
