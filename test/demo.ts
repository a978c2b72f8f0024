import { loadDemo } from '@svc-admin/spec'

const demo = loadDemo()

/** The resource of the demo organisation with this label. */
function labelled(collection: string, label: string): Record<string, unknown> {
  const found = demo[collection]?.find((item) => item.label === label)
  if (!found) throw new Error(`The demo has no ${label} among its ${collection}.`)
  return found
}

/** The key and the service account of the demo organisation with this label. */
export function credentialsOf(label: string) {
  const key = labelled('apiKeys', label)
  const account = labelled('serviceAccounts', label)
  return {
    key: { publicKey: String(key.publicKey), privateKey: String(key.privateKey) },
    account: { clientId: String(account.clientId), clientSecret: String(account.clientSecret) },
  }
}

/** May do everything in the project. */
export const owner = credentialsOf('Project owner')
export const groupId = String(demo.projects?.[0]?.id)
export const clusterName = 'orders-eu'
