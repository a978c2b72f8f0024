import type { Schema } from '@svc-admin/spec'
import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code } from '../content/inline.ts'
import {
  bodyOf,
  type ControlOperation,
  controlOperations,
  controlDocument as document,
  resolved,
} from '../model/control-document.ts'
import { addresses } from '../model/site-model.ts'

/** The page of the control interface of the sandbox, from its document. */
export function controlPage(): Page {
  return {
    path: addresses.control,
    title: document.info.title,
    description: 'Worlds, clock, faults, events and the request log of a sandbox.',
    section: 'facts',
    crumbs: [],
    blocks: [
      prose(String(document.info.description)),
      ...document.tags.flatMap(({ name, description }) => [
        heading(2, name, anchorOf(name)),
        prose(description),
        ...operationsOf(name).flatMap(operationBlocks),
      ]),
    ],
  }
}

const operationsOf = (tag: string): ControlOperation[] =>
  controlOperations.filter(({ operation }) => operation.tags.includes(tag))

function operationBlocks({ method, path, operation }: ControlOperation): Block[] {
  const body = bodyOf(operation)
  const members = body ? membersOf(body.schema) : []
  return [
    heading(3, operation.summary, operation.operationId),
    { kind: 'endpoint', method, prefix: '', path },
    prose(operation.description),
    ...(members.length > 0 ? [table(['Member', 'Type', 'What'], members)] : []),
    ...(body
      ? [{ kind: 'code' as const, language: 'json', text: JSON.stringify(body.example, null, 2) }]
      : []),
  ]
}

function membersOf({ allOf = [], properties = {}, required = [] }: Schema): string[][] {
  const parts = allOf.flatMap((part) => membersOf(resolved<Schema>(part)))
  const own = Object.entries(properties).map(([name, member]) => {
    const { type, description, enum: values } = { ...resolved<Schema>(member), ...member }
    const kind = [type].flat().filter(Boolean).join(' or ')
    const said = [description, values && `One of ${values.map((value) => code(String(value))).join(', ')}.`]
    return [code(name), required.includes(name) ? `${kind}, required` : kind, said.filter(Boolean).join(' ')]
  })
  return [...parts, ...own]
}

const anchorOf = (name: string): string => name.toLowerCase()
