/** Reads addresses and credentials from the environment because secrets don't belong in source code. */
function read(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

export const baseUrl = read('SVC_BASE_URL')
export const groupId = read('SVC_GROUP_ID')
export const clusterName = process.env.SVC_CLUSTER ?? 'orders-eu'
/** A programmatic API key. */
export const apiKey = { publicKey: read('SVC_PUBLIC_KEY'), privateKey: read('SVC_PRIVATE_KEY') }
/** A service account. */
export const serviceAccount = { clientId: read('SVC_CLIENT_ID'), clientSecret: read('SVC_CLIENT_SECRET') }
