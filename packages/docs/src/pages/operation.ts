import type { Requirement } from '@svc-admin/spec'
import type { Badge, Block, OperationItem, Page } from '../content/block.ts'
import { list, prose } from '../content/block.ts'
import { firstSentence } from '../content/first-sentence.ts'
import { code, codeLink, link, plain } from '../content/inline.ts'
import { strengthText } from '../content/strength.ts'
import { addresses, areaSlug } from '../model/addresses.ts'
import { placeText } from '../model/changes.ts'
import { marked } from '../model/decisions.ts'
import type { OperationModel } from '../model/operation-model.ts'
import { choicesFor, type SiteModel, type VersionModel } from '../model/site-model.ts'
import { deprecationCallout, statusBadges } from './deprecation.ts'
import { failureBlocks } from './operation-errors.ts'
import { exampleRail } from './operation-examples.ts'
import {
  bodyBlocks,
  commonParameterBlocks,
  parameterBlocks,
  returnText,
  successBlocks,
} from './operation-parts.ts'
import { requirementsByArea, requirementsFor } from './requirement-rows.ts'

export function operationPage(model: SiteModel, version: VersionModel, operation: OperationModel): Page {
  const { id, tag } = operation
  return {
    path: addresses.operation(version.id, id),
    title: operation.operation.summary ?? id,
    description: firstSentence(operation.operation.description ?? operation.operation.summary ?? id),
    section: 'reference',
    version: version.id,
    area: tag,
    crumbs: [
      [version.id, addresses.version(version.id)],
      [tag, `${addresses.version(version.id)}#${anchorOf(tag)}`],
    ],
    switch: choices(model, version, id),
    blocks: operationBlocks(model, version, operation),
  }
}

const choices = (model: SiteModel, version: VersionModel, id: string): NonNullable<Page['switch']> =>
  choicesFor(model, `operations/${id}/`, ({ byId }) => byId.has(id), model.spans.operation(version, id))

export const anchorOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')

function operationBlocks(model: SiteModel, version: VersionModel, operation: OperationModel): Block[] {
  return [
    ...deprecationCallout(model, version, operation),
    endpointBlock(model, operation),
    ...badges(model, version, operation),
    prose(operation.operation.description ?? '', 'lead'),
    { kind: 'facts', look: 'inline', items: factsOf(model, version, operation) },
    exampleRail(model, version, operation),
    ...changeBlocks(model, version, operation),
    ...parameterBlocks(model, version, operation),
    ...bodyBlocks(model, version, operation),
    ...commonParameterBlocks(model, version, operation),
    ...successBlocks(model, version, operation),
    ...failureBlocks(model, version, operation),
    ...requirementsLine(model, version, operation),
  ]
}

function endpointBlock(
  { decisions }: SiteModel,
  { id, method, prefix, path, operation }: OperationModel,
): Block {
  const decided = operation['x-decided']?.address
  const mark = decided && decisions.mark(decided, `operation:${id}`)
  return { kind: 'endpoint', method, prefix, path, ...(mark && { mark }) }
}

function badges(model: SiteModel, version: VersionModel, operation: OperationModel): Block[] {
  const [since] = model.spans.unchanged(version, operation.id)
  // The badges only show that the operation has changed. The changes themselves are listed further down on the page.
  const items: Badge[] = [
    ...statusBadges(since, operation.id).filter(({ tone }) => tone !== 'info'),
    ...(operation.operation['x-paged'] ? [{ text: 'paginated', tone: 'neutral' } as const] : []),
  ]
  return items.length > 0 ? [{ kind: 'badges', items }] : []
}

function factsOf(model: SiteModel, version: VersionModel, operation: OperationModel): [string, string][] {
  const { id, operation: source } = operation
  const roles = source['x-roles']
  const decided = source['x-decided']?.roles
  const mark = decided && model.decisions.mark(decided, `operation:${id}`)
  const authentication = addresses.guide('authentication')
  return [
    ...(roles ? [['Role', marked(rolesText(model, roles), [mark])] as [string, string]] : []),
    [
      'Credentials',
      operation.basic
        ? 'client ID and secret of a service account (Basic)'
        : `${link('API key', `${authentication}#with-an-api-key`)} or ${link('service account', `${authentication}#with-a-service-account`)}`,
    ],
    ['Version', versionText(model, version, operation)],
    ['Returns', returnText(version, operation)],
    ['Operation ID', code(id)],
    ...(isUnlikeItsMethod(operation)
      ? [
          [
            'Repeatable',
            source['x-idempotent']
              ? 'yes, sending the request twice has the same effect as sending it once'
              : 'no',
          ] as [string, string],
        ]
      : []),
    ...(source['x-strength']
      ? [['Provenance', strengthText(source['x-strength'], source['x-source'] ?? '')] as [string, string]]
      : []),
  ]
}

/**
 * Returns whether an operation's idempotency differs from the default for its method (RFC 9110 §9.2.2). Pages mention
 * idempotency only for these operations.
 */
const isUnlikeItsMethod = ({ method, operation }: OperationModel): boolean =>
  (operation['x-idempotent'] ?? isIdempotent(method)) !== isIdempotent(method)

const isIdempotent = (method: string): boolean => method !== 'post' && method !== 'patch'

/** Shows when the operation last changed. Responses are the same for all later dates that share this page. */
function versionText(model: SiteModel, version: VersionModel, { id }: OperationModel): string {
  const [since, ...later] = model.spans.unchanged(version, id)
  const guide = addresses.guide('versioning')
  const last = later.at(-1)
  const until = last === model.newest ? ', unchanged since' : `, unchanged until ${last?.id}`
  const others = model.spans.operation(version, id).filter(({ prefix }) => prefix !== version.prefix)
  return [
    `${link(since.id, guide)}${last ? until : ''}`,
    ...others.map(
      ({ id: other, prefix, fact }) =>
        `also ${other}, with prefix ${code(prefix)} and media type ${code(fact.mediaType)}`,
    ),
  ].join('; ')
}

/** Links to the operation's requirements, which are on other pages. */
function requirementsLine(model: SiteModel, version: VersionModel, { id }: OperationModel): Block[] {
  const groups = [...requirementsByArea(requirementsFor(model, version, id))]
  const [main] = groups.sort(([, a], [, b]) => own(b) - own(a))
  if (!main) return []
  const count = groups.reduce((sum, [, rows]) => sum + rows.length, 0)
  const anchor = own(main[1]) > 0 ? `#${id}` : ''
  const address = `${addresses.requirements(areaSlug(main[0]))}${anchor}`
  return [prose(`${link(`${count} requirements`, address)} for implementers`, 'quiet')]

  function own(rows: readonly Requirement[]): number {
    return rows.filter(({ operations }) => operations?.length === 1).length
  }
}

export function rolesText({ inputs }: SiteModel, roles: readonly string[]): string {
  const names = roles.map((id) => {
    const role = inputs.facts.roles[id]
    return role ? link(role.name, addresses.role(id)) : id === 'ANY' ? 'any assigned role' : plain(id)
  })
  return names.join(' or ')
}

function changeBlocks(model: SiteModel, version: VersionModel, { id }: OperationModel): Block[] {
  const [since] = model.spans.unchanged(version, id)
  const change = since.changes.get(id)
  const before = model.versions.find((each) => each.id === since.previous)
  if (!change || !before || change.kind !== 'changed') return []
  const breaking = change.changes.filter((each) => each.class === 'breaking').length
  const count = `${change.changes.length} change${change.changes.length === 1 ? '' : 's'}`
  return [
    {
      kind: 'fold',
      id: 'changed',
      summary: `Changed in ${since.id}: ${count} since ${before.id}${breaking > 0 ? `, **${breaking} breaking**` : ''}`,
      blocks: [
        list(
          change.changes.map(
            (each) =>
              `${each.class === 'breaking' ? '**Breaking:** ' : ''}${each.text} (${placeText(each, since, before)})`,
          ),
        ),
      ],
    },
  ]
}

export const operationLink = (version: string, id: string): string =>
  codeLink(id, addresses.operation(version, id))

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
