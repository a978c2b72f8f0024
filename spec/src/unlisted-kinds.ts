import type { Schema } from './model.ts'

/** The schema for undocumented variants of a union. */
export interface UnlistedKinds {
  /** The name of the discriminator property. */
  readonly property: string
  /** The documented values of the discriminator property. */
  readonly values: readonly string[]
  /** The names of the components for documented variants. */
  readonly listed: readonly string[]
}

/**
 * Finds the schemas for undocumented variants of unions. The key is the name of the component. In these schemas, the
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

/** Returns the name of a component. In a mapping, a component can be given as a name or as a reference. */
const nameOf = (reference: string): string => reference.split('/').at(-1) ?? reference
