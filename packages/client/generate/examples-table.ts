import { bodyOf, type Example } from '@svc-admin/spec'
import type { VersionModel } from './model.ts'
import type { Table } from './tables.ts'

/** A documented response: its status, its media type, and the first example body. */
interface ExampleRow {
  readonly status: number
  readonly contentType?: string
  readonly body?: unknown
}

/**
 * Returns the table for `@svc-admin/client/testing`. The table contains each operation's success response in
 * every version that changes the operation.
 */
export function examplesTable(models: readonly VersionModel[]): Table {
  const rows: Record<string, Record<string, ExampleRow>> = {}
  for (const { operations } of models) {
    for (const { id, owner, success } of operations) {
      const media = bodyOf(success.response.content)
      rows[id] ??= {}
      rows[id][owner] ??= {
        status: success.status,
        ...(media && { contentType: media[0], body: firstExample(id, media[1].examples) }),
      }
    }
  }
  return {
    code: `export const examples = ${JSON.stringify(rows)}\n`,
    types: [
      'export interface ExampleRow { readonly status: number; readonly contentType?: string; readonly body?: unknown }\n',
      'export declare const examples: Readonly<Record<string, Readonly<Record<string, ExampleRow>>>>\n',
    ].join(''),
  }
}

function firstExample(id: string, examples: Record<string, Example> | undefined): unknown {
  const [first] = Object.values(examples ?? {})
  if (!first) throw new Error(`${id} has a success response without an example.`)
  return first.value
}
