import { existsSync, writeFileSync } from 'node:fs'
import { Misconfiguration } from '../engine/signals.ts'
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
  const orgId = await console.ask('Identifier of its organization (empty: none)', '')
  const role = await console.ask(`Role of your credentials (${roleIds.join(', ')})`, 'PROJECT_OWNER')
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
  console.write(
    `Wrote ${file}. Set SVC_PRIVATE_KEY and SVC_CLIENT_SECRET, then: contract doctor --target ${file}\n`,
  )
  return 0
}
