import { existsSync, writeFileSync } from 'node:fs'
import { Misconfiguration } from '../engine/signals.ts'
import { wrap } from '../report/text.ts'
import { roleIds } from '../world/holders.ts'
import type { Values } from './arguments.ts'
import type { Console } from './console.ts'

/** `contract init`: writes a target file by asking. Secrets are named, not written: they come from the environment. */
export const initCommand = async (values: Values, console: Console): Promise<number> => {
  const file = values.target ?? 'contract.target.json'
  if (existsSync(file)) throw new Misconfiguration(`${file} exists already`)
  const baseUrl = await console.ask(
    'Address of the service, before /api',
    values['base-url'] ?? 'http://127.0.0.1:8080',
  )
  const groupId = await console.ask('Identifier of a project that may be used for tests')
  if (groupId === '') throw new Misconfiguration('without a project there is nothing to test')
  const orgId = await console.ask('Identifier of its organization (empty: none)', '')
  console.write(`${wrap(`Roles: ${roleIds.join(', ')}`, console.columns).join('\n')}\n`)
  const role = await console.ask('Role of your credentials', 'PROJECT_OWNER')
  if (!roleIds.some((id) => id === role))
    throw new Misconfiguration(`${role} is no role: ${roleIds.join(', ')}`)
  const publicKey = await console.ask('Public key of an API key (empty: none)', '')
  const clientId = await console.ask('Client id of a service account (empty: none)', '')
  const cluster = await console.ask('Name of a cluster of tier M10 or above (empty: none)', '')
  const control = await console.ask(
    'Address of the control interface of a sandbox (empty: none)',
    values.control ?? '',
  )
  const target = {
    baseUrl,
    things: { groupId, ...(orgId && { orgId }) },
    roles: {
      [role]: {
        ...(publicKey && { apiKey: { publicKey, privateKey: '$SVC_PRIVATE_KEY' } }),
        ...(clientId && { serviceAccount: { clientId, clientSecret: '$SVC_CLIENT_SECRET' } }),
      },
    },
    ...(cluster && { clusters: [{ name: cluster, tier: 'M10' }] }),
    ...(control && { control }),
  }
  writeFileSync(file, `${JSON.stringify(target, null, 2)}\n`)
  const secrets = [...(publicKey ? ['SVC_PRIVATE_KEY'] : []), ...(clientId ? ['SVC_CLIENT_SECRET'] : [])]
  const first = secrets.length > 0 ? `Set ${secrets.join(' and ')}, then` : 'Now'
  console.write(`Wrote ${file}. ${first}:\n  contract doctor --target ${file}\n`)
  return 0
}
