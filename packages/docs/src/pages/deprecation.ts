import type { Badge, Block } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import type { OperationModel } from '../model/operation-model.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'

/** Returns badges that show whether an operation is new, changed or deprecated, or has an end date. */
export function statusBadges(version: VersionModel, id: string): Badge[] {
  const operation = version.byId.get(id)
  const change = version.changes.get(id)
  const { sunset } = operation?.deprecation ?? {}
  return [
    ...(change?.kind === 'added' ? [{ text: `new in ${version.id}`, tone: 'good' } as const] : []),
    ...(change?.kind === 'changed' && change.changes.some((each) => each.class !== 'deprecating')
      ? [{ text: `changed in ${version.id}`, tone: 'info' } as const]
      : []),
    ...(isDeprecated(operation) ? [{ text: 'deprecated', tone: 'warn' } as const] : []),
    ...(sunset ? [{ text: `sunset ${sunset}`, tone: 'bad' } as const] : []),
  ]
}

const isDeprecated = (operation: OperationModel | undefined): boolean =>
  operation !== undefined && (operation.operation.deprecated === true || operation.deprecation !== undefined)

/** Creates the banner for a deprecated operation. The banner names the operation's successor. */
export function deprecationCallout(
  model: SiteModel,
  version: VersionModel,
  operation: OperationModel,
): Block[] {
  if (!isDeprecated(operation)) return []
  const { date, sunset, successor } = operation.deprecation ?? {}
  const { deprecation: whole, deprecationDate, sunsetDate } = operation.operation['x-decided'] ?? {}
  const marked = (decided?: string) =>
    decided ? ` ${model.decisions.mark(decided, `operation:${operation.id}`)}` : ''
  const since = date ? ` since ${date}` : ''
  const mark = marked(whole ?? deprecationDate)
  const end = sunset
    ? ` Its sunset is ${sunset}${marked(sunsetDate)}. After that day, servers that enforce the sunset return ${codeLink('VERSION_GONE', addresses.error('VERSION_GONE'))}. Other servers still support it.`
    : ''
  const next = successor ? ` ${successorText(model, version, operation, successor)}` : ''
  return [
    {
      kind: 'callout',
      tone: sunset ? 'bad' : 'warn',
      title: sunset ? `Sunset ${sunset}` : 'Deprecated',
      markdown: `This version of the operation is deprecated${since}.${mark}${end}${next}`,
    },
  ]
}

const successorText = (...given: Parameters<typeof successorLink>): string => {
  const next = successorLink(...given)
  return next ? `Use ${next} instead.` : `The successor ${code(given[3])} is not in these documents.`
}

/**
 * Returns a link to the operation that replaces a deprecated operation. Returns nothing if the successor isn't in the
 * documents.
 */
export function successorLink(
  model: SiteModel,
  version: VersionModel,
  operation: OperationModel,
  successor: string,
): string | undefined {
  const [id = '', wanted] = successor.split('@')
  const having = model.operationIds.get(id) ?? []
  const target = wanted
    ? having.find((each) => each.id === wanted)
    : (having.find((each) => each.id === version.id) ?? having.at(-1))
  if (!target) return undefined
  const address = addresses.operation(target.id, id)
  return id === operation.id ? link(`version ${target.id}`, address) : codeLink(id, address)
}
