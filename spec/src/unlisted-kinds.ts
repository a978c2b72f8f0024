import type { Schema } from './model.ts'

/** The schema for a union's undocumented variants. */
export interface UnlistedKinds {
  /** The discriminator property's name. */
  readonly property: string
  /** The discriminator property's documented values. */
  readonly values: readonly string[]
  /** The components of the documented variants. */
  readonly listed: readonly string[]
}

/**
 * Returns the schemas for unions' undocumented variants, by component name. In these schemas, the
 * discriminator property can have any value.
 *
 * @example
 * const { OtherNotification } = Object.fromEntries(findUnlistedKinds(document.components.schemas))
 * console.log(OtherNotification?.property) // typeName
 */
export function findUnlistedKinds(schemas: Readonly<Record<string, Schema>>): Map<string, UnlistedKinds> {
  const found = new Map<string, UnlistedKinds>()
  for (const { discriminator, anyOf = [] } of Object.values(schemas)) {
    if (!discriminator) continue
    const { propertyName: property, mapping = {} } = discriminator
    const isListed = (component: string): boolean => {
      const field = schemas[component]?.properties?.[property] ?? {}
      return 'const' in field || 'enum' in field
    }
    const components = anyOf.flatMap(({ $ref }) => ($ref ? [nameOf($ref)] : []))
    const listed = components.filter(isListed)
    const values = Object.keys(mapping).filter((value) => listed.includes(nameOf(mapping[value] ?? '')))
    for (const component of components)
      if (!isListed(component)) found.set(component, { property, values, listed })
  }
  return found
}

/** Returns the component's name. A mapping contains either this name or a reference. */
const nameOf = (reference: string): string => reference.split('/').at(-1) ?? reference
