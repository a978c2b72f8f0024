import { STATUS_CODES } from 'node:http'
import type { Block, Sample } from '../content/block.ts'
import { heading, prose } from '../content/block.ts'
import { code, link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import { examplesOf, type OperationModel } from '../model/operation-model.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import { sampleCall } from '../samples/call.ts'
import { firstRequestOf } from '../samples/first-request.ts'
import { samplesOf } from '../samples/samples.ts'
import { failuresOf } from './operation-errors.ts'

/** Shows the example request in every language, followed by an example response for each status. */
export function exampleRail(model: SiteModel, version: VersionModel, operation: OperationModel): Block {
  const call = sampleCall(version, operation)
  const environment = link(
    'environment variables',
    `${addresses.guide('authentication')}#the-samples-of-this-site`,
  )
  return {
    kind: 'rail',
    blocks: [
      heading(2, 'Example request', 'samples'),
      {
        kind: 'samples',
        id: 'language',
        label: 'Language',
        items: samplesOf(call),
        tryIt: `/try/?operation=${operation.id}&version=${version.id}`,
      },
      heading(2, 'Example response', 'example-response'),
      { kind: 'samples', id: 'status', label: 'Status', items: responsesOf(model, operation) },
      prose(
        `The samples read the address and credentials from ${environment}.${firstOf(operation)}`,
        'quiet',
      ),
    ],
  }
}

/** Returns one example per status. The success response comes first, followed by errors that depend on the request. */
function responsesOf(model: SiteModel, operation: OperationModel): Sample[] {
  const successes = operation.success.map(({ status, body }): Sample => {
    const [example] = examplesOf(body)
    return example
      ? {
          label: status,
          caption: `${status} ${example.summary}`,
          language: 'json',
          text: JSON.stringify(example.value, null, 2),
          isIndexed: true,
        }
      : {
          label: status,
          caption: `${status} without a body`,
          language: 'text',
          text: `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
        }
  })
  const failures = failuresOf(model, operation).filter(
    ({ example, isGeneral }) => example !== undefined && !isGeneral,
  )
  const wanted = operation.operation['x-failure']?.code
  const byStatus = new Map<string, Sample>()
  for (const { status, code: name, example } of failures)
    if (!byStatus.has(status) || name === wanted)
      byStatus.set(status, {
        label: status,
        caption: `${status} ${name}`,
        language: 'json',
        text: JSON.stringify(example, null, 2),
      })
  return [...successes, ...byStatus.values()]
}

/**
 * Shows the request that must be sent before the operation's sample, if there is one. Some samples fail with the demo
 * organization unless another request is sent first.
 */
function firstOf({ id }: OperationModel): string {
  const first = firstRequestOf(id)
  if (!first) return ''
  const { operationId, method, path, reason } = first
  const request = link(code(`${method} ${path}`), `${addresses.control}#${operationId}`)
  return ` ${reason} To run the samples there, send ${request} to the control interface first.`
}
