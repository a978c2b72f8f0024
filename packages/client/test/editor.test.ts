import { operations, versions } from '@svc-admin/types'
import { describe, expect, test } from 'vitest'
import { owningVersion } from '../generate/model.ts'
import { openEditor } from './editor.ts'

const editor = openEditor()
const program = (code: string, version = '2025-03-12') => `
import { createClient } from '@svc-admin/client'
import { createOpenapiClient } from '@svc-admin/client/openapi-fetch'
const client = createClient({ baseUrl: 'https://cloud.example.com', version: '${version}' })
const api = createOpenapiClient({ baseUrl: 'https://cloud.example.com', version: '${version}' })
const groupId = ''
${code}
`
/** Collects the data about each operation in a version, from the version that declares the operation. */
const factsAt = (version: string) =>
  new Map(
    Object.values(operations).flatMap((row) => {
      const here = Object.keys(row.versions).some((owned) =>
        version.startsWith('v') ? owned === version : /^\d/.test(owned) && owned <= version,
      )
      const owner = here ? owningVersion(row, version) : ''
      return Object.entries(row.versions)
        .filter(([each]) => each === owner)
        .map(([, facts]) => [row.id as string, facts] as const)
    }),
  )

const oldestAndNewest = [versions.at(0), versions.at(-1)].flatMap((each) => each?.id ?? [])

describe.each(oldestAndNewest)('the editor, on a client for %s', (version) => {
  const facts = factsAt(version)
  const code = program('client.|', version)

  // The completions for other operations are plain methods, which have their documentation at their only declaration.
  test('shows documentation in the completion of paginated operations', () => {
    expect(facts.size).toBeGreaterThan(50)
    const names = editor.completions(code).map(({ name }) => name)
    for (const [id, { errors }] of facts) {
      expect(names).toContain(id)
      if (!operations[id as keyof typeof operations].paged) continue
      const text = editor.documentation(code, id)
      expect(text).toMatch(/^[A-Z].*\.\n/)
      expect(text).toContain(`Errors: ${errors.join(', ')}.`)
    }
  })

  test('strikes through deprecated operations, and no others', () => {
    const struck = editor
      .completions(code)
      .filter(({ kindModifiers = '' }) => kindModifiers.includes('deprecated'))
    const deprecated = [...facts].filter(([, each]) => 'deprecation' in each).map(([id]) => id)
    expect(struck.map(({ name }) => name).sort()).toEqual(deprecated.sort())
  })
})

describe('the editor', () => {
  test.each(['getAlert', 'listAlerts'])('names role, errors and versions on hover of %s', (id) => {
    const text = editor.hover(program(`client.${id}|({ groupId, alertId: '' })`))
    expect(text).toMatch(/^Role: Project Read Only\.$/m)
    expect(text).toContain('RESOURCE_NOT_FOUND')
    expect(text).toContain(`Versions: ${Object.keys(operations.getAlert.versions).join(', ')}.`)
  })

  test('names the version in compiler errors, and suggests the nearest operation', () => {
    expect(editor.errors(program('client.listAlert({ groupId })'))).toEqual([
      "Property 'listAlert' does not exist on type 'Client_2025_03_12'. Did you mean 'listAlerts'?",
    ])
    const [error] = editor.errors(
      program('client.listSearchIndexes({ groupId, clusterName: "" })', '2023-01-01'),
    )
    expect(error).toMatch(/^Property 'listSearchIndexes' does not exist on type 'Client_2023_01_01'\./)
  })

  test('completes the paths of a method', () => {
    const names = editor.completions(program("api.PATCH('|')")).map(({ name }) => name)
    expect(names).toContain('/groups/{groupId}/alerts/{alertId}')
    expect(names).not.toContain('/groups/{groupId}/alerts')
  })
})
