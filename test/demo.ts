import { loadDemo } from '@svc-admin/spec'

const demo = loadDemo()

/** Returns the demo organization resource that has this label. */
function labelled(collection: string, label: string): Record<string, unknown> {
  const found = demo[collection]?.find((item) => item.label === label)
  if (!found) throw new Error(`The demo organization has no ${label} in ${collection}.`)
  return found
}

/** Returns the demo organization's API key and service account that have this label. */
export function credentialsOf(label: string) {
  const key = labelled('apiKeys', label)
  const account = labelled('serviceAccounts', label)
  return {
    key: { publicKey: String(key.publicKey), privateKey: String(key.privateKey) },
    account: { clientId: String(account.clientId), clientSecret: String(account.clientSecret) },
  }
}

/** Credentials with all permissions in the project. */
export const owner = credentialsOf('Project owner')
export const groupId = String(demo.projects?.[0]?.id)
export const clusterName = 'orders-eu'
