import { pascalCase } from '../../spec/rules/read/words.ts'
import { type Checkout, InputError } from './change.ts'
import { dates } from './versions.ts'

/** The location of a schema, which may not exist yet. */
export interface SchemaLocation {
  readonly name: string
  /** The path, relative to the root of the repository. */
  readonly path: string
  /** The path, relative to the version's path files. */
  readonly reference: string
  readonly isNew: boolean
}

/**
 * Returns the location of a schema in a version. If the schema is new, its name must not be in use.
 *
 * @throws {InputError} if the name is invalid, or if a later version already has a schema with this name.
 */
export function placeOfSchema(checkout: Checkout, name: string, since: string): SchemaLocation {
  if (!pascalCase.test(name))
    throw new InputError(`--schema ${name}: must be in PascalCase, for example AlertConfig`)
  const there = dates(checkout).filter(({ folder }) => checkout.has(`spec/${folder}/schemas/${name}.yaml`))
  const later = there.find(({ id }) => id > since)
  if (later)
    throw new InputError(
      `--schema ${name}: spec/${later.folder}/schemas/${name}.yaml is later than ${since}; ` +
        `all versions since ${since} must share the schema`,
    )
  if (there.length === 0 && checkout.has(`spec/shared/schemas/${name}.yaml`))
    return placeIn(name, { path: 'spec/shared', reference: '../../../shared' }, false)
  const home = there.at(-1)?.id ?? since
  const reference = home === since ? '..' : `../../${home}`
  return placeIn(name, { path: `spec/v2/${home}`, reference }, there.length === 0)
}

const placeIn = (
  name: string,
  folder: Pick<SchemaLocation, 'path' | 'reference'>,
  isNew: boolean,
): SchemaLocation => ({
  name,
  path: `${folder.path}/schemas/${name}.yaml`,
  reference: `${folder.reference}/schemas/${name}.yaml`,
  isNew,
})
