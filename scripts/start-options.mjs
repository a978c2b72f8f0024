import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { root as repository } from './steps.mjs'

/** How to start the server: the command, its built entry point, and the built module that parses its options. */
export const serverProgram = {
  command: join(repository, 'packages/server/bin/svc-admin-server.js'),
  built: join(repository, 'packages/server/dist/main.js'),
  options: join(repository, 'packages/server/dist/options.js'),
}

/**
 * Splits a flag such as `--port=9000` into two arguments. The server accepts both forms, but the rest of this script
 * only handles `--port 9000`.
 */
export const splitFlags = (args) =>
  args.flatMap((text) => /^(--[a-z-]+)=(.*)$/s.exec(text)?.slice(1) ?? [text])

/**
 * Returns the names of the options that the user has set on the command line, in the environment or in the
 * configuration file.
 */
export function namesSet(args, env, { root, variableOf }) {
  const flags = splitFlags(args)
  const config = flags.lastIndexOf('--config')
  const path = config < 0 ? env[variableOf('config')] : flags[config + 1]
  const inFile = path === undefined ? [] : Object.keys(JSON.parse(readFileSync(resolve(root, path), 'utf8')))
  const named = flags.flatMap((flag) => /^--(?:no-)?([a-z-]+)$/.exec(flag)?.[1] ?? [])
  const names = named.map((flag) => flag.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase()))
  const known = new Set([...inFile, ...names])
  return { has: (name) => known.has(name) || env[variableOf(name)] !== undefined }
}

/** Parses the log line that contains the server's URLs. Returns undefined for all other lines. */
export function listeningOf(line) {
  if (!line.startsWith('{') || !line.includes('"listening"')) return undefined
  const { message, url, controlUrl, options } = JSON.parse(line)
  return message === 'listening' ? { url, controlUrl, options } : undefined
}

/** Returns a project in the demo organization, and both kinds of credentials for an organization owner. */
export function ownerOf({ projects: [project], apiKeys, serviceAccounts }) {
  const isOwner = ({ roles }) =>
    roles.some(({ role, orgId }) => role === 'ORGANIZATION_OWNER' && orgId === project.orgId)
  return { project, key: apiKeys.find(isOwner), account: serviceAccounts.find(isOwner) }
}

/** Returns the text to print when the server is ready. The text doesn't mention disabled features. */
export function welcomeText({ listening, owner, version, root }) {
  const { url, controlUrl, options } = listening
  const rows = [
    ...(options.docs === '' ? [] : [['Documentation', `${url}/`]]),
    ['API', `${url}/api/svc/v2  (v1.0: ${url}/api/svc/v1.0)`],
    ...(controlUrl ? [['Control', controlUrl]] : []),
    ...(owner
      ? [
          ['Digest', `${owner.key.publicKey}:${owner.key.privateKey}`],
          ['Service account', `${owner.account.clientId}:${owner.account.clientSecret}`],
          ['Project', owner.project.id],
        ]
      : []),
  ].map(([name, value]) => `${name.padEnd(15)} ${value}`)
  const use = owner
    ? linesToPaste({ url, controlUrl, owner, version, root })
    : 'This database does not contain the demo organization.'
  return `\n${rows.join('\n')}\n\n${use}\n\nStop with Ctrl+C. ${whereDataStays(options.database)}`
}

function linesToPaste({ url, controlUrl, owner: { project, key, account }, version, root }) {
  return `Paste into another shell:

curl --digest -u ${key.publicKey}:${key.privateKey} \\
  -H 'Accept: application/vnd.svc.${version}+json' \\
  '${url}/api/svc/v2/groups/${project.id}/alerts?pretty=true'

cd '${root}' && node --input-type=module -e "
import { createClient } from '@svc-admin/client'
const credentials = { clientId: '${account.clientId}', clientSecret: '${account.clientSecret}' }
const client = createClient({ baseUrl: '${url}', credentials, version: '${version}' })
const alerts = await client.listAlerts({ groupId: '${project.id}' })
console.log(alerts.totalCount, alerts.results.map(({ id, status }) => id + ' ' + status))"

cd '${root}' && npx contract run --base-url ${url}${controlUrl ? ` --control ${controlUrl}` : ''}`
}

/** Describes where the data is stored, without revealing a password. */
export function whereDataStays(database) {
  if (database === ':memory:') return 'Stopping the server deletes the data.'
  if (/^\w+:\/\//.test(database)) return 'The data is kept in your database.'
  return `The data is kept in ${relative(process.cwd(), database)}.`
}
