import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Facts, Header, JsonObject, Requirement } from '../src/model.ts'
import { resolveFactReferences } from './fact-references.ts'
import { readYaml, root } from './read-yaml.ts'

function yamlFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => join(folder, name))
}

function keyedByFile<T>(folder: string): Record<string, T> {
  return Object.fromEntries(yamlFiles(folder).map((path) => [basename(path, '.yaml'), readYaml<T>(path)]))
}

export function readFacts(): Facts {
  const { generations, tokenEndpoint, versions } =
    readYaml<Pick<Facts, 'generations' | 'tokenEndpoint' | 'versions'>>('versions.yaml')
  return resolveFactReferences({
    generations,
    tokenEndpoint,
    versions,
    errorCodes: readYaml('facts/error-codes.yaml'),
    tokenErrors: readYaml('facts/token-errors.yaml'),
    limits: readYaml('facts/limits.yaml'),
    roles: readYaml('facts/roles.yaml'),
    states: keyedByFile('facts/states'),
    eventTypes: readYaml('facts/event-types.yaml'),
  }) as Facts
}

/** The resources in the demo organization, grouped by collection and name. `self` is the path of the resource. */
export type DemoSource = Record<string, Record<string, JsonObject>>

export function readDemo(): DemoSource {
  return keyedByFile('demo')
}

export type HeaderSource = Record<string, Header & { on: string }>

export function readHeaders(): HeaderSource {
  return readYaml('shared/headers.yaml')
}

interface RequirementFile {
  area: string
  operations?: string[]
  shownBy?: string
  rows: (Omit<Requirement, 'area' | 'source'> & { source: string | string[] })[]
}

/**
 * Reads all requirements. Each requirement inherits the area of its file. Requirements without their own `operations`
 * or `shownBy` also inherit these fields.
 */
export function readRequirements(): Requirement[] {
  return yamlFiles('requirements').flatMap((path) => {
    const { area, operations, shownBy, rows } = readYaml<RequirementFile>(path)
    return rows.map((row) => ({
      ...(operations ? { operations } : {}),
      ...(shownBy ? { shownBy } : {}),
      ...row,
      area,
      source: [row.source].flat(),
    }))
  })
}
