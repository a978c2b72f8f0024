import type { Block, OperationItem, Page } from '../content/block.ts'
import { heading, prose, table } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { strengthText } from '../content/strength.ts'
import { addresses } from '../model/addresses.ts'
import { marked } from '../model/decisions.ts'
import type { SiteModel } from '../model/site-model.ts'
import { requirementsOf } from './covering.ts'
import { limitsPage } from './limits.ts'
import { operationItem } from './operation.ts'
import { generalCodes } from './operation-errors.ts'

const rules: Page['crumbs'] = []

/** Creates a page for each error code and each role, and pages that list all error codes, limits and roles. */
export function factPages(model: SiteModel): Page[] {
  const { facts } = model.inputs
  return [
    errorList(model),
    ...Object.keys(facts.errorCodes).map((name) => errorPage(model, name)),
    ...Object.keys(facts.tokenErrors).map((name) => tokenErrorPage(model, name)),
    limitsPage(model),
    roleList(model),
    ...Object.keys(facts.roles).map((id) => rolePage(model, id)),
  ]
}

const byStatus = <T extends { status: number }>(entries: [string, T][]): [string, T][] =>
  entries.sort(([, a], [, b]) => a.status - b.status)

/**
 * Returns the text of one field in a fact. If the field is our decision but the rest of the fact isn't, the text links
 * to the decision.
 */
const fieldText = (
  { decisions }: SiteModel,
  text: string,
  decided: Readonly<Record<string, string>> | undefined,
  [fact, ...fields]: readonly [fact: string, ...fields: string[]],
): string =>
  marked(
    text,
    fields.map((field) => decided?.[field] && decisions.mark(decided[field], fact)),
  )

function errorList(model: SiteModel): Page {
  const { inputs } = model
  const { errorCodes, tokenErrors } = inputs.facts
  const general = generalCodes(model)
  const codeTable = (isShown: (name: string) => boolean): Block =>
    table(
      ['Code', 'Status', 'When', 'Provenance'],
      byStatus(Object.entries(errorCodes).filter(([name]) => isShown(name))).map(([name, fact]) => [
        codeLink(name, addresses.error(name)),
        fieldText(model, String(fact.status), fact.decided, [`error:${name}`, 'status']),
        fieldText(model, fact.when, fact.decided, [`error:${name}`, 'when']),
        strengthText(fact.strength, fact.source),
      ]),
    )
  return {
    path: '/errors/',
    title: 'Error codes',
    description: 'All error codes, with their statuses and causes.',
    section: 'errors',
    crumbs: rules,
    blocks: [
      prose(
        `Use \`errorCode\` in programs, and show \`detail\` to people. See ${link('how to handle errors', addresses.guide('errors'))}.`,
      ),
      heading(2, 'Every operation', 'every-operation'),
      prose(
        'Nearly every operation can return these errors. Body errors apply only to operations with a request body.',
      ),
      codeTable((name) => general.has(name)),
      heading(2, 'Some operations', 'operations'),
      codeTable((name) => !general.has(name)),
      heading(2, 'Token endpoint', 'token-endpoint'),
      table(
        ['Code', 'Status', 'When', 'Provenance'],
        byStatus(Object.entries(tokenErrors)).map(([name, fact]) => [
          codeLink(name, addresses.error(name)),
          tokenStatus(model, name),
          fact.description,
          strengthText(fact.strength, fact.source),
        ]),
      ),
    ],
  }
}

/** Returns the token endpoint's error statuses. */
function tokenStatus(model: SiteModel, name: string): string {
  const { status, alsoStatus, decided } = model.inputs.facts.tokenErrors[name] ?? {}
  const text = [status, alsoStatus].filter(Boolean).join(' or ')
  return fieldText(model, text, decided, [`tokenError:${name}`, 'status', 'alsoStatus'])
}

interface Declared {
  readonly item: OperationItem
  readonly codes: readonly string[]
}

const declared = new WeakMap<SiteModel, readonly Declared[]>()

/** Returns the error codes that each operation declares in its newest version. */
function declaredCodes(model: SiteModel): readonly Declared[] {
  const known = declared.get(model)
  if (known) return known
  const found = [...model.operationIds].flatMap(([id, versions]): Declared[] => {
    const newest = versions.at(-1)
    const operation = newest?.byId.get(id)
    if (!newest || !operation) return []
    const ofExamples = operation.failures.flatMap(({ body }) => Object.keys(body?.content.examples ?? {}))
    const codes = [...(operation.operation['x-errors'] ?? []), ...ofExamples]
    return [{ item: operationItem(newest, operation), codes }]
  })
  declared.set(model, found)
  return found
}

/**
 * The maximum number of exceptions to list. If there are more exceptions, the page lists the operations that can return
 * the error.
 */
const fewOperations = 8

/** Lists the operations that declare an error code in their newest version. */
function operationsWith(model: SiteModel, has: (codes: readonly string[]) => boolean): Block[] {
  const found = declaredCodes(model).flatMap(({ item, codes }) => (has(codes) ? [item] : []))
  if (found.length === 0) return [prose('No operation declares this code.')]
  if (found.length === model.operationIds.size) return [prose('Every operation can return this error.')]
  const others = declaredCodes(model).filter(({ codes }) => !has(codes))
  if (others.length <= fewOperations)
    return [
      prose(
        `Every operation can return this error, except ${others.map(({ item }) => link(item.title, item.href)).join(', ')}.`,
      ),
    ]
  return [{ kind: 'operations', items: found }]
}

function errorPage(model: SiteModel, name: string): Page {
  const fact = model.inputs.facts.errorCodes[name]
  if (!fact) throw new Error(`Unknown error code: ${name}`)
  const example = {
    error: fact.status,
    errorCode: name,
    reason: reasonOf(model, fact.status),
    detail: fact.detail,
    ...(fact.parameters && { parameters: fact.parameters }),
  }
  return {
    path: addresses.error(name),
    title: name,
    kicker: 'Error code',
    description: fact.when,
    section: 'errors',
    crumbs: [['Error codes', '/errors/']],
    blocks: [
      prose(fieldText(model, fact.when, fact.decided, [`error:${name}`, 'when'])),
      {
        kind: 'facts',
        look: 'inline',
        items: [
          [
            'Status',
            fieldText(model, `${fact.status} ${example.reason}`, fact.decided, [`error:${name}`, 'status']),
          ],
          ['Provenance', strengthText(fact.strength, fact.source)],
        ],
      },
      { kind: 'code', language: 'json', text: JSON.stringify(example, null, 2), label: 'Example' },
      heading(2, 'Returned by', 'operations'),
      ...operationsWith(model, (codes) => codes.includes(name)),
      ...requirementsOf(model, `error:${name}`),
    ],
  }
}

/** Returns the reason phrase for a status, from the examples in the documents. */
function reasonOf({ newest }: SiteModel, status: number): string {
  for (const { failures } of newest.operations)
    for (const { body } of failures)
      for (const { value } of Object.values(body?.content.examples ?? {}))
        if (typeof value === 'object' && value !== null && !Array.isArray(value) && value.error === status)
          return String(value.reason ?? '')
  return ''
}

function tokenErrorPage(model: SiteModel, name: string): Page {
  const fact = model.inputs.facts.tokenErrors[name]
  if (!fact) throw new Error(`Unknown token error: ${name}`)
  return {
    path: addresses.error(name),
    title: name,
    kicker: 'Error code of the token endpoint',
    description: fact.description,
    section: 'errors',
    crumbs: [['Error codes', '/errors/']],
    blocks: [
      prose(fact.description),
      {
        kind: 'facts',
        look: 'inline',
        items: [
          ['Status', tokenStatus(model, name)],
          ['Provenance', strengthText(fact.strength, fact.source)],
        ],
      },
      {
        kind: 'code',
        language: 'json',
        text: JSON.stringify({ error: name, error_description: fact.description }, null, 2),
        label: 'Example',
      },
      heading(2, 'Returned by', 'operations'),
      ...operationsWith(model, (codes) => codes.includes(name)),
    ],
  }
}

function roleList(model: SiteModel): Page {
  const { inputs } = model
  return {
    path: '/roles/',
    title: 'Roles',
    description: 'All roles, where they can be granted, and which other roles they include.',
    section: 'roles',
    crumbs: rules,
    blocks: [
      prose('If an operation lists several roles, you need one of them.'),
      table(
        ['Role', 'Granted in', 'Includes', 'Provenance'],
        Object.entries(inputs.facts.roles).map(
          ([id, { name, scope, includes, strength, source, decided }]) => [
            link(name, addresses.role(id)),
            scope,
            fieldText(
              model,
              includes
                .map((each) => link(inputs.facts.roles[each]?.name ?? each, addresses.role(each)))
                .join(', '),
              decided,
              [`role:${id}`, 'includes'],
            ),
            strengthText(strength, source),
          ],
        ),
      ),
    ],
  }
}

function rolePage(model: SiteModel, id: string): Page {
  const { roles } = model.inputs.facts
  const role = roles[id]
  if (!role) throw new Error(`Unknown role: ${id}`)
  const all = reachableRoles(roles, id)
  const names = (ids: readonly string[]) =>
    ids.map((each) => link(roles[each]?.name ?? each, addresses.role(each))).join(', ')
  const within = Object.keys(roles).filter((each) => roles[each]?.includes.includes(id))
  const allowed = [...model.operationIds].flatMap(([operationId, versions]) => {
    const newest = versions.at(-1)
    const operation = newest?.byId.get(operationId)
    const needed = operation?.operation['x-roles'] ?? []
    return newest && operation && needed.some((each) => each === 'ANY' || all.includes(each))
      ? [operationItem(newest, operation)]
      : []
  })
  return {
    path: addresses.role(id),
    title: role.name,
    kicker: `Role · granted in ${role.scope === 'project' ? 'a project' : 'an organization'}`,
    description: `Operations that callers with the role ${role.name} can use.`,
    section: 'roles',
    crumbs: [['Roles', '/roles/']],
    blocks: [
      {
        kind: 'facts',
        items: [
          ['Id', code(id)],
          ...(role.includes.length > 0
            ? [
                [
                  'Includes',
                  fieldText(model, names(role.includes), role.decided, [`role:${id}`, 'includes']),
                ] as [string, string],
              ]
            : []),
          ...(within.length > 0 ? [['Included in', names(within)] as [string, string]] : []),
          ['Provenance', strengthText(role.strength, role.source)],
        ],
      },
      heading(2, 'Allowed operations', 'operations'),
      allowed.length > 0
        ? { kind: 'operations', items: allowed }
        : prose('On its own, this role doesn’t allow any operations.'),
    ],
  }
}

function reachableRoles(roles: SiteModel['inputs']['facts']['roles'], id: string): string[] {
  const found = new Set([id])
  for (const each of found) for (const next of roles[each]?.includes ?? []) found.add(next)
  return [...found]
}
