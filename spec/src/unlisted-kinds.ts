import type { Schema } from './model.ts'

/** What stands in a union for the kinds that it does not list. */
export interface UnlistedKinds {
  /** The member by which kinds are told apart. */
  readonly property: string
  /** The components of the listed kinds. */
  readonly listed: readonly string[]
}

/**
 * Returns, by the name of its component, each shape that stands in a union for the kinds that the document does not list.
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

/** A mapping names a component by its reference or by its bare name. */
const nameOf = (reference: string): string => reference.split('/').at(-1) ?? reference
