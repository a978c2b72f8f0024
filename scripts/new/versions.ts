import { parse } from 'yaml'
import { type Checkout, InputError } from './change.ts'

export interface VersionRow {
  readonly id: string
  readonly generation: string
  readonly folder: string
  readonly mediaType: string
  readonly status: string
}

export const versionsFile = 'spec/versions.yaml'

export const versionRows = (checkout: Checkout): readonly VersionRow[] =>
  parse(checkout.read(versionsFile)).versions

export const dates = (checkout: Checkout): readonly VersionRow[] =>
  versionRows(checkout).filter(({ id }) => /^\d{4}-\d{2}-\d{2}$/.test(id))

export const newestDate = (checkout: Checkout): VersionRow => {
  const newest = dates(checkout).at(-1)
  if (newest === undefined) throw new InputError(`${versionsFile}: no dated version found`)
  return newest
}
