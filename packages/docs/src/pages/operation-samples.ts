import type { Block } from '../content/block.ts'
import { heading, prose } from '../content/block.ts'
import { code, link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import type { OperationModel } from '../model/operation-model.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import { sampleCall } from '../samples/call.ts'
import { firstRequestOf } from '../samples/first-request.ts'
import { samplesOf } from '../samples/samples.ts'

/** The example request in each language. */
export function sampleBlocks(
  { inputs }: SiteModel,
  version: VersionModel,
  operation: OperationModel,
): Block[] {
  const call = sampleCall(version, operation, inputs.facts.tokenEndpoint.path)
  const environment = link(
    'environment variables',
    `${addresses.guide('authentication')}#the-samples-of-this-site`,
  )
  return [
    heading(2, 'Example request', 'samples'),
    { kind: 'samples', id: 'language', label: 'Language', items: samplesOf(call) },
    prose(`The samples read the address and credentials from ${environment}.${firstOf(operation)}`),
  ]
}

/** The request that the demo organization needs first, if any. */
function firstOf({ id }: OperationModel): string {
  const first = firstRequestOf(id)
  if (!first) return ''
  const { operationId, method, path, reason } = first
  const request = link(code(`${method} ${path}`), `${addresses.control}#${operationId}`)
  return ` ${reason} To run them there, send ${request} to the control interface first.`
}
