import { problem } from '../problem.ts'

/** The failure for an identifier that no snapshot of the kind has. */
export const snapshotNotFound = (id: string) =>
  notFound(`No snapshot with the ID ${id} exists for the cluster.`)

/** The failure for an identifier that no restore job of the cluster has. */
export const restoreJobNotFound = (id: string) =>
  notFound(`No restore job with the ID ${id} exists for the cluster.`)

/** The failure for an identifier that no export job of the cluster has. */
export const exportJobNotFound = (id: string) =>
  notFound(`No export job with the ID ${id} exists for the cluster.`)

/** The failure for an identifier that no export bucket of the project has; `pointer` says where a body names it. */
export const exportBucketNotFound = (id: string, pointer?: string) =>
  notFound(`No export bucket with the ID ${id} exists in the project.`, pointer)

/** The failure for a project without a policy. */
export const compliancePolicyNotFound = () => notFound('The project has no backup compliance policy.')

function notFound(detail: string, pointer?: string) {
  return problem('RESOURCE_NOT_FOUND', {
    detail,
    ...(pointer === undefined ? {} : { parameters: [pointer] }),
  })
}
