import type { Sample } from '../content/block.ts'
import { readInputs } from '../inputs.ts'
import { siteModel } from '../model/site-model.ts'
import { sampleCall } from './call.ts'
import { type FirstRequest, firstRequestOf } from './first-request.ts'
import { samplesOf } from './samples.ts'

export interface OwnedSample extends Sample {
  readonly version: string
  readonly operationId: string
  /** The request to send to the sandbox before the sample. Without this request, the sample fails. */
  readonly first?: FirstRequest | undefined
}

/**
 * Returns all of the site's samples, for tests that run them.
 *
 * @example
 * const programs = everySample().filter(({ language }) => language === 'python')
 */
export function everySample(): OwnedSample[] {
  const inputs = readInputs()
  return siteModel(inputs).versions.flatMap((version) =>
    version.operations.flatMap((operation) =>
      samplesOf(sampleCall(version, operation)).map((sample) => ({
        ...sample,
        version: version.id,
        operationId: operation.id,
        first: firstRequestOf(operation.id),
      })),
    ),
  )
}
