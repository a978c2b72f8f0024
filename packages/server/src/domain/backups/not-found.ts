import { problem } from '../problem.ts'

/** The error for an unknown snapshot. */
export const snapshotNotFound = (id: string) =>
  notFound(`No snapshot with the ID ${id} exists for the cluster.`)

/** The error for an unknown restore job. */
export const restoreJobNotFound = (id: string) =>
  notFound(`No restore job with the ID ${id} exists for the cluster.`)

/** The error for an unknown export job. */
export const exportJobNotFound = (id: string) =>
  notFound(`No export job with the ID ${id} exists for the cluster.`)

/** The error for an unknown export bucket. `pointer` is the field in the request body that contains its ID. */
export const exportBucketNotFound = (id: string, pointer?: string) =>
  notFound(`No export bucket with the ID ${id} exists in the project.`, pointer)

/** The error for a project without a compliance policy. */
export const compliancePolicyNotFound = () => notFound('The project has no backup compliance policy.')

function notFound(detail: string, pointer?: string) {
  return problem('RESOURCE_NOT_FOUND', {
    detail,
    ...(pointer === undefined ? {} : { parameters: [pointer] }),
  })
}
