import { problem } from '../problem.ts'

export const snapshotNotFound = (id: string) =>
  notFound(`No snapshot with the ID ${id} exists for the cluster.`)

export const restoreJobNotFound = (id: string) =>
  notFound(`No restore job with the ID ${id} exists for the cluster.`)

export const exportJobNotFound = (id: string) =>
  notFound(`No export job with the ID ${id} exists for the cluster.`)

/** Creates the error for an unknown export bucket. `pointer` is the location of the bucket ID in the request body. */
export const exportBucketNotFound = (id: string, pointer?: string) =>
  notFound(`No export bucket with the ID ${id} exists in the project.`, pointer)

export const compliancePolicyNotFound = () => notFound('The project has no backup compliance policy.')

function notFound(detail: string, pointer?: string) {
  return problem('RESOURCE_NOT_FOUND', {
    detail,
    ...(pointer === undefined ? {} : { parameters: [pointer] }),
  })
}
