import type { Block } from '../content/block.ts'
import { heading, prose } from '../content/block.ts'
import { code, link } from '../content/inline.ts'
import type { OperationModel } from '../model/operation-model.ts'
import { addresses, type SiteModel, type VersionModel } from '../model/site-model.ts'
import { sampleCall } from '../samples/call.ts'
import { firstRequestOf } from '../samples/first-request.ts'
import { samplesOf } from '../samples/samples.ts'

/** The operation called in each language. */
export function sampleBlocks(
  { inputs }: SiteModel,
  version: VersionModel,
  operation: OperationModel,
): Block[] {
  const call = sampleCall(version, operation, inputs.facts.tokenEndpoint.path)
  const environment = link('environment', `${addresses.guide('authentication')}#the-samples-of-this-site`)
  return [
    heading(2, 'Call it', 'samples'),
    { kind: 'samples', id: 'language', label: 'Language', items: samplesOf(call) },
    prose(`The samples read the address and the credentials from the ${environment}.${firstOf(operation)}`),
  ]
}

/** What the demo organisation needs first, if anything. */
function firstOf({ id }: OperationModel): string {
  const first = firstRequestOf(id)
  if (!first) return ''
  const { operationId, method, path, reason } = first
  const request = link(code(`${method} ${path}`), `${addresses.control}#${operationId}`)
  return ` ${reason} There they succeed after ${request} of the control interface.`
}
