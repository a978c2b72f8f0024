import { loadDemo } from '@svc-admin/spec'
import type { FastifyInstance } from 'fastify'

/**
 * Hands out the credentials of the demo organisation's owner, so that the documentation's forms can be tried at once.
 * They are public anyway; only a sandbox that was seeded with them has this address.
 */
export function addDemoCredentials(app: FastifyInstance): void {
  const credentials = demoCredentials()
  app.get('/sandbox/credentials.json', (request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .header('cross-origin-resource-policy', 'same-origin')
      .send({ baseUrl: `${request.protocol}://${request.host}`, ...credentials }),
  )
}

function demoCredentials() {
  const { projects = [], apiKeys = [], serviceAccounts = [] } = loadDemo()
  const project = projects[0]
  const isOwner = ({ roles }: (typeof apiKeys)[number]) =>
    JSON.stringify(roles) === JSON.stringify([{ role: 'ORGANIZATION_OWNER', orgId: project?.orgId }])
  const key = apiKeys.find((each) => isOwner(each) && each.accessList === undefined)
  const account = serviceAccounts.find((each) => isOwner(each) && each.accessList === undefined)
  return {
    apiKey: { publicKey: key?.publicKey, privateKey: key?.privateKey },
    serviceAccount: { clientId: account?.clientId, clientSecret: account?.clientSecret },
    groupId: project?.id,
    orgId: project?.orgId,
  }
}
