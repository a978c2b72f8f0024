import { parse } from 'yaml'
import { pascalCase } from '../../spec/rules/read/words.ts'
import { type Checkout, Refusal } from './change.ts'
import { dates } from './versions.ts'

/** Where a schema is, or shall be. */
export interface Place {
  readonly name: string
  /** From the root of the repository. */
  readonly path: string
  /** From the path files of the date. */
  readonly reference: string
  readonly isNew: boolean
}

/** The build adds these to every document. */
const envelopes = 'spec/shared/envelopes.yaml'

/**
 * The schema of this name as a date has it, which a new one must not stand beside.
 *
 * @throws {Refusal} if the name is none, the build's own, or a later date has a schema of this name.
 */
export function placeOfSchema(checkout: Checkout, name: string, since: string): Place {
  if (!pascalCase.test(name))
    throw new Refusal(`--schema ${name}: a name in PascalCase was expected, such as AlertConfig`)
  if (name in parse(checkout.read(envelopes)))
    throw new Refusal(`--schema ${name}: ${envelopes} has it, and another name was expected`)
  const there = dates(checkout).filter(({ folder }) => checkout.has(`spec/${folder}/schemas/${name}.yaml`))
  const later = there.find(({ id }) => id > since)
  if (later)
    throw new Refusal(
      `--schema ${name}: spec/${later.folder}/schemas/${name}.yaml is of a later date than ${since}; ` +
        `a schema that all dates from ${since} on share was expected`,
    )
  if (there.length === 0 && checkout.has(`spec/shared/schemas/${name}.yaml`))
    return placeIn(name, { path: 'spec/shared', reference: '../../../shared' }, false)
  const home = there.at(-1)?.id ?? since
  const reference = home === since ? '..' : `../../${home}`
  return placeIn(name, { path: `spec/v2/${home}`, reference }, there.length === 0)
}

const placeIn = (name: string, folder: Pick<Place, 'path' | 'reference'>, isNew: boolean): Place => ({
  name,
  path: `${folder.path}/schemas/${name}.yaml`,
  reference: `${folder.reference}/schemas/${name}.yaml`,
  isNew,
})
