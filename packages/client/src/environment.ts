import { product } from '#tables/constants'
import type { StaticCredentials } from './auth/credentials.ts'
import { createLog } from './log.ts'
import { shieldObserver } from './observer.ts'
import type { TransportOptions } from './options.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The parts of the platforms that only some have. */
interface Platform {
  readonly process?: { readonly env?: Variables; readonly versions?: Variables }
  readonly navigator?: { readonly userAgent?: string }
  readonly Deno?: {
    readonly permissions: {
      querySync(query: { name: 'env'; variable: string }): { readonly state: string }
    }
  }
}

/**
 * Reads the address and the credentials from environment variables: `SVC_BASE_URL`, and `SVC_TOKEN`, `SVC_CLIENT_ID` and
 * `SVC_CLIENT_SECRET`, or `SVC_PUBLIC_KEY` and `SVC_PRIVATE_KEY`. If several are set, the first of these counts.
 *
 * @param variables default: the variables of the process. Workers get their variables as an argument.
 * @example
 * const client = createClient({ ...fromEnv(), version: '2024-05-30' })
 * @throws TypeError that names the missing variable.
 */
export function fromEnv(variables?: object): {
  readonly baseUrl: string
  readonly credentials: StaticCredentials
} {
  const env = (variables ?? (globalThis as Platform).process?.env ?? {}) as Variables
  const read = (name: string): string => {
    const value = env[name]?.trim()
    if (value) return value
    throw new TypeError(`${name} is not set in the environment`)
  }
  const baseUrl = read('SVC_BASE_URL')
  if (env.SVC_TOKEN) return { baseUrl, credentials: { accessToken: read('SVC_TOKEN') } }
  if (env.SVC_CLIENT_ID || env.SVC_CLIENT_SECRET) {
    return {
      baseUrl,
      credentials: { clientId: read('SVC_CLIENT_ID'), clientSecret: read('SVC_CLIENT_SECRET') },
    }
  }
  if (env.SVC_PUBLIC_KEY || env.SVC_PRIVATE_KEY) {
    return {
      baseUrl,
      credentials: { publicKey: read('SVC_PUBLIC_KEY'), privateKey: read('SVC_PRIVATE_KEY') },
    }
  }
  throw new TypeError(
    'no credentials in the environment: expected SVC_PUBLIC_KEY and SVC_PRIVATE_KEY, SVC_CLIENT_ID and SVC_CLIENT_SECRET, or SVC_TOKEN',
  )
}

/** Options with the `User-Agent` of the package, the log that `SVC_ADMIN_LOG` requests, and a shielded observer. */
export function withDefaults<Options extends TransportOptions>(options: Options): Options {
  const agent = userAgent()
  const level = readLogLevel()
  const { headers, middleware = [], observer } = options
  return {
    ...options,
    headers: { ...(agent && { 'user-agent': agent }), ...headers },
    // Innermost, so that it logs what is sent.
    middleware: level ? [...middleware, createConsoleLog(level)] : middleware,
    observer: observer && shieldObserver(observer),
  }
}

/** Package, version and runtime. Undefined in browsers, which send their own. */
function userAgent(): string | undefined {
  const { process, navigator } = globalThis as Platform
  const { deno, bun, node } = process?.versions ?? {}
  const runtime = (deno && `deno/${deno}`) || (bun && `bun/${bun}`) || (node && `node/${node}`)
  // The only other platform without a `document` that sets this header.
  const worker = navigator?.userAgent === 'Cloudflare-Workers' && 'workerd'
  return runtime || worker ? `${product} ${runtime || worker}` : undefined
}

const variable = 'SVC_ADMIN_LOG'

function readLogLevel(): 'debug' | 'warn' | undefined {
  const { process, Deno } = globalThis as Platform
  // Without the permission, reading would ask the user for it.
  if (Deno && Deno.permissions.querySync({ name: 'env', variable }).state !== 'granted') return undefined
  const level = process?.env?.[variable]
  return level === 'debug' || level === 'warn' ? level : undefined
}

/** One line per attempt. `console.warn` writes to standard error; `console.debug` would mix with the program's output. */
function createConsoleLog(level: 'debug' | 'warn') {
  const warn = (message: string, fields: object): void => console.warn(`${message} ${JSON.stringify(fields)}`)
  return createLog({ logger: { debug: level === 'debug' ? warn : () => undefined, warn } })
}
