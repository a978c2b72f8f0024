import { existsSync, writeFileSync } from 'node:fs'
import { limits, type RoleId } from '@svc-admin/types'
import { isIdentifier } from '../document/identifier.ts'
import { unknownName } from '../model/nearest.ts'
import { Misconfiguration } from '../model/signals.ts'
import { wrap } from '../report/text.ts'
import { addressOf } from '../target/address.ts'
import { isVariable } from '../target/file.ts'
import { expectWritable } from '../target/files.ts'
import { roleIds } from '../target/role-ids.ts'
import type { Values } from './arguments.ts'
import type { Console } from './console.ts'

/** Returns an error message if the reply is invalid. */
type Check = (response: string) => string | undefined

const fine: Check = () => undefined

/** Asks a question until the reply is valid. */
const askFor = async (console: Console, question: string, check: Check, suggestion = ''): Promise<string> => {
  for (;;) {
    const response = (await console.ask(question, suggestion)).trim()
    const fault = check(response)
    if (fault === undefined) return response
    console.write(
      `${wrap(fault, console.columns - 2, { whole: true })
        .map((line) => `  ${line}\n`)
        .join('')}`,
    )
  }
}

const address: Check = (response) => {
  try {
    addressOf('it', response)
    return undefined
  } catch (error) {
    if (error instanceof Misconfiguration) return error.message
    throw error
  }
}

/** Accepts an identifier or the name of an environment variable. */
const identifier: Check = (response) =>
  isIdentifier(response) || isVariable(response)
    ? undefined
    : `an identifier must have ${limits.identifier.length} hexadecimal digits, such as 64b7e1c20f3a5d6e7f809101, but got ${response === '' ? 'nothing' : response}`

const optional =
  (check: Check): Check =>
  (response) =>
    response === '' ? undefined : check(response)

const isRole = (name: string): name is RoleId => roleIds.some((id) => id === name)

const role: Check = (response) =>
  isRole(response) ? undefined : unknownName('role', response, roleIds, 'choose one of the roles above')

const given =
  (what: string): Check =>
  (response) =>
    response === '' ? what : undefined

/** The environment variables for the secrets that the target file needs. */
const variables = { privateKey: 'SVC_PRIVATE_KEY', clientSecret: 'SVC_CLIENT_SECRET' } as const

const askCredentials = async (console: Console) => {
  console.write(
    wrap(`Roles: ${roleIds.join(', ')}`, console.columns)
      .map((line) => `${line}\n`)
      .join(''),
  )
  const heldRole = await askFor(console, 'Role of your credentials', role, 'PROJECT_OWNER')
  const publicKey = await askFor(console, 'Public key of an API key (leave empty for none)', fine)
  const needed = given('enter a service account, because there is no API key')
  const clientId = await askFor(
    console,
    `Client ID of a service account${publicKey === '' ? '' : ' (empty: none)'}`,
    publicKey === '' ? needed : fine,
  )
  const holder = {
    ...(publicKey && { apiKey: { publicKey, privateKey: `$${variables.privateKey}` } }),
    ...(clientId && { serviceAccount: { clientId, clientSecret: `$${variables.clientSecret}` } }),
  }
  const secrets = [
    ...(publicKey ? [variables.privateKey] : []),
    ...(clientId ? [variables.clientSecret] : []),
  ]
  return { roles: { [heldRole]: holder }, secrets }
}

const askCluster = async (console: Console) => {
  const name = await askFor(console, 'Name of a cluster in the project (leave empty for none)', fine)
  if (name === '') return {}
  const tier = await askFor(console, 'Its tier', given('enter a tier such as M10'), 'M10')
  if (limits.tiersWithoutAccessHistory.values.some((small) => small === tier))
    console.write('  Most cluster checks need a cluster of tier M10 or higher.\n')
  return { clusters: [{ name, tier }] }
}

/**
 * `contract init` asks questions and writes a target file. The file contains no secrets, because secrets come
 * from environment variables.
 */
export const initCommand = async (values: Values, console: Console): Promise<number> => {
  const file = values.target ?? 'contract.target.json'
  if (existsSync(file))
    throw new Misconfiguration(`${file} already exists: choose another file with --target`)
  expectWritable('--target', file)
  const baseUrl = await askFor(
    console,
    'Address of the service, without /api',
    address,
    values['base-url'] ?? 'http://127.0.0.1:8080',
  )
  const groupId = await askFor(console, 'Identifier of a project to use for tests', identifier)
  const orgId = await askFor(
    console,
    "Identifier of the project's organization (leave empty for none)",
    optional(identifier),
  )
  const { roles, secrets } = await askCredentials(console)
  const clusters = await askCluster(console)
  const control = await askFor(
    console,
    "Address of the sandbox's control interface (leave empty for none)",
    optional(address),
    values.control,
  )
  const target = {
    baseUrl,
    things: { groupId, ...(orgId && { orgId }) },
    roles,
    ...clusters,
    ...(control && { control }),
  }
  // The file is written only after the last question. An existing file is never overwritten.
  writeFileSync(file, `${JSON.stringify(target, null, 2)}\n`, { flag: 'wx' })
  console.write(
    `Wrote ${file}. Set ${secrets.join(' and ')}, then run:\n  contract doctor --target ${file}\n`,
  )
  return 0
}
