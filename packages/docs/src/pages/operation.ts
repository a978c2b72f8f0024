import type { Badge, Block, OperationItem, Page } from '../content/block.ts'
import { heading, list, prose } from '../content/block.ts'
import { code, codeLink, link, plain } from '../content/inline.ts'
import { sourceText } from '../content/strength.ts'
import { addresses } from '../model/addresses.ts'
import { placeText } from '../model/changes.ts'
import { marked } from '../model/decisions.ts'
import type { OperationModel } from '../model/operation-model.ts'
import { choicesFor, type SiteModel, type VersionModel } from '../model/site-model.ts'
import { acceptOf } from '../samples/call.ts'
import { deprecationCallout, statusBadges } from './deprecation.ts'
import { bodyBlocks, failureBlocks, parameterBlocks, successBlocks } from './operation-parts.ts'
import { sampleBlocks } from './operation-samples.ts'
import { requirementsFor, requirementTable } from './requirement-rows.ts'

/** The page of one operation in one version. */
export function operationPage(model: SiteModel, version: VersionModel, operation: OperationModel): Page {
  const { id, tag } = operation
  return {
    path: addresses.operation(version.id, id),
    title: operation.operation.summary ?? id,
    description: firstSentence(operation.operation.description ?? operation.operation.summary ?? id),
    section: 'reference',
    version: version.id,
    crumbs: [
      [version.id, addresses.version(version.id)],
      [tag, `${addresses.version(version.id)}#${anchorOf(tag)}`],
    ],
    switch: choices(model, id),
    blocks: operationBlocks(model, version, operation),
  }
}

/** The page at the address of an operation in a version that does not have it. */
export function absentPage(model: SiteModel, version: VersionModel, id: string): Page {
  const having = model.operationIds.get(id) ?? []
  const items = having.map((each) => link(each.id, addresses.operation(each.id, id)))
  return {
    path: addresses.operation(version.id, id),
    title: `${id} is not in ${version.id}`,
    description: `The operation ${id} does not exist in version ${version.id}.`,
    section: 'reference',
    version: version.id,
    crumbs: [[version.id, addresses.version(version.id)]],
    switch: choices(model, id),
    blocks: [
      prose(`The operation ${code(id)} does not exist in version ${version.id}. These versions have it:`),
      list(items),
      prose(`Or see ${link(`all operations of ${version.id}`, addresses.version(version.id))}.`),
    ],
  }
}

const choices = (model: SiteModel, id: string): NonNullable<Page['switch']> =>
  choicesFor(model, `operations/${id}/`, ({ byId }) => byId.has(id)).map((choice) => ({
    ...choice,
    href: addresses.operation(choice.version, id),
  }))

export const anchorOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')

export const firstSentence = (text: string): string =>
  (/^[\s\S]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text).replace(/\s+/g, ' ').replace(/[`*]/g, '')

function operationBlocks(model: SiteModel, version: VersionModel, operation: OperationModel): Block[] {
  const { id, operation: source } = operation
  const requirements = requirementsFor(model, version, id)
  return [
    ...deprecationCallout(model, version, operation),
    endpointBlock(model, version, operation),
    ...badges(model, version, operation),
    prose(source.description ?? ''),
    { kind: 'facts', items: factsOf(model, version, operation) },
    ...changeBlocks(model, version, id),
    ...sampleBlocks(model, version, operation),
    ...parameterBlocks(model, version, operation),
    ...bodyBlocks(model, version, operation),
    ...successBlocks(model, version, operation),
    ...failureBlocks(model, version, operation),
    ...(requirements.length > 0
      ? [
          heading(2, 'Requirements', 'requirements'),
          prose('In addition to the schemas, implementations must meet these requirements.'),
          requirementTable(requirements),
        ]
      : []),
  ]
}

function endpointBlock(
  { decisions }: SiteModel,
  version: VersionModel,
  { id, method, prefix, path, operation }: OperationModel,
): Block {
  const decided = operation['x-decided']?.address
  return {
    kind: 'endpoint',
    method,
    prefix,
    path,
    ...(decided && { mark: decisions.mark(decided, `operation:${id}`) }),
    tryIt: `/try/?operation=${id}&version=${version.id}`,
  }
}

function badges(model: SiteModel, version: VersionModel, operation: OperationModel): Block[] {
  const items: Badge[] = [
    ...statusBadges(version, operation.id),
    ...(operation.operation['x-paged'] ? [{ text: 'paged', tone: 'neutral' } as const] : []),
  ]
  return items.length > 0 && model.versions.length > 0 ? [{ kind: 'badges', items }] : []
}

function factsOf(model: SiteModel, version: VersionModel, operation: OperationModel): [string, string][] {
  const { id, operation: source, request } = operation
  const roles = source['x-roles']
  const decided = source['x-decided']?.roles
  const mark = decided && model.decisions.mark(decided, `operation:${id}`)
  return [
    ['Operation id', code(id)],
    ...(roles ? [['Role', marked(rolesText(model, roles), [mark])] as [string, string]] : []),
    [
      'Credentials',
      operation.basic
        ? 'client id and secret of a service account (Basic)'
        : `${link('Digest or a token', addresses.guide('authentication'))}`,
    ],
    ['Accept', acceptText(version, operation)],
    ...(request ? [['Content-Type', code(request.mediaType)] as [string, string]] : []),
    ...(source['x-strength']
      ? [['Strength', `${source['x-strength']}, ${sourceText(source['x-source'])}`] as [string, string]]
      : []),
    ...(isUnlikeItsMethod(operation)
      ? [
          [
            'Repeatable',
            source['x-idempotent'] ? 'yes: sending it twice has the same effect as sending it once' : 'no',
          ] as [string, string],
        ]
      : []),
  ]
}

/** Whether an operation is repeatable is only shown if it differs from its method (RFC 9110 §9.2.2). */
const isUnlikeItsMethod = ({ method, operation }: OperationModel): boolean =>
  (operation['x-idempotent'] ?? isIdempotent(method)) !== isIdempotent(method)

const isIdempotent = (method: string): boolean => method !== 'post' && method !== 'patch'

/** An operation that did not change at a date returns the media type of its last change. */
function acceptText(version: VersionModel, operation: OperationModel): string {
  const { id, fact } = version
  const mediaType = acceptOf(version, operation)
  const own = /\.(\d{4}-\d\d-\d\d)\+/.exec(mediaType)?.[1]
  if (own && operation.success.every(({ body }) => !body))
    return `${code(mediaType)}, even though the response has no body.`
  if (!own || own === id) return code(mediaType)
  const same = `${code(fact.mediaType)} [returns the same version](${addresses.guide('versioning')})`
  return `${code(mediaType)}. The operation has not changed since; ${same}.`
}

export function rolesText({ inputs }: SiteModel, roles: readonly string[]): string {
  const names = roles.map((id) => {
    const role = inputs.facts.roles[id]
    return role ? link(role.name, addresses.role(id)) : id === 'ANY' ? 'any assigned role' : plain(id)
  })
  return names.join(' or ')
}

function changeBlocks({ versions }: SiteModel, version: VersionModel, id: string): Block[] {
  const change = version.changes.get(id)
  const before = versions.find((each) => each.id === version.previous)
  if (!change || !before || change.kind !== 'changed') return []
  return [
    heading(2, `Changed since ${before.id}`, 'changed'),
    list(
      change.changes.map(
        (each) =>
          `${each.class === 'breaking' ? '**Breaking:** ' : ''}${each.text} (${placeText(each, version, before)})`,
      ),
    ),
  ]
}

export const operationLink = (version: string, id: string): string =>
  codeLink(id, addresses.operation(version, id))

/** A line of a list of operations. */
export const operationItem = (
  version: VersionModel,
  { id, method, path, operation }: OperationModel,
): OperationItem => ({
  method,
  path,
  title: operation.summary ?? id,
  href: addresses.operation(version.id, id),
  badges: statusBadges(version, id),
})
