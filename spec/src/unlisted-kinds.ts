import type { Schema } from './model.ts'

/** The schema for a union's undocumented variants. */
export interface UnlistedKinds {
  /** The discriminator property's name. */
  readonly property: string
  /** The documented variants' components. */
  readonly listed: readonly string[]
}

/**
 * Returns the schemas for unions' undocumented variants, by component name.
 *
 * @example
 * const { OtherNotification } = Object.fromEntries(findUnlistedKinds(document.components.schemas))
 * console.log(OtherNotification?.property) // typeName
 */
export function findUnlistedKinds(schemas: Readonly<Record<string, Schema>>): Map<string, UnlistedKinds> {
  const found = new Map<string, UnlistedKinds>()
  for (const { discriminator, anyOf, oneOf } of Object.values(schemas)) {
    if (!discriminator) continue
    const listed = Object.values(discriminator.mapping ?? {}).map(nameOf)
    const rest = [...(anyOf ?? []), ...(oneOf ?? [])].flatMap(({ $ref }) => ($ref ? [nameOf($ref)] : []))
    for (const component of rest.filter((each) => !listed.includes(each))) {
      found.set(component, { property: discriminator.propertyName, listed })
    }
  }
  return found
}

/** A mapping contains either a reference or the component's name. */
const nameOf = (reference: string): string => reference.split('/').at(-1) ?? reference
