import { product } from '#tables/constants'
import type { StaticCredentials } from './auth/credentials.ts'
import { type HashText, setHash } from './auth/digest-hash.ts'
import { checkOptions } from './check-options.ts'
import { createLog } from './log.ts'
import { shieldObserver } from './observer.ts'
import type { TransportOptions } from './options.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Globals that exist only on some platforms. */
interface Platform {
  readonly process?: {
    readonly env?: Variables
    readonly versions?: Variables
    getBuiltinModule?(
      name: 'crypto',
    ): { readonly hash?: (algorithm: string, text: string) => string } | undefined
  }
  readonly navigator?: { readonly userAgent?: string }
  readonly Deno?: {
    readonly permissions: {
      querySync(query: { name: 'env'; variable: string }): { readonly state: string }
    }
  }
}

/**
 * Reads the address and the credentials from environment variables. The address is in `SVC_BASE_URL`. The credentials
 * are in `SVC_TOKEN`, in `SVC_CLIENT_ID` and `SVC_CLIENT_SECRET`, or in `SVC_PUBLIC_KEY` and `SVC_PRIVATE_KEY`. If
 * several kinds of credentials are set, the client uses the kind that comes first in this list.
 *
 * @param variables The variables to read. Defaults to the process's environment variables. Workers get their
 *   variables as an argument.
 * @example
 * const client = createClient({ ...fromEnv(), version: '2024-05-30' })
 * @throws TypeError with the name of the missing variable.
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

/**
 * Adds features of `createClient` to the options for `createPartialClient`. These features are the `User-Agent` header,
 * the log that `SVC_ADMIN_LOG` turns on, option type checks, and protection against errors in the observer.
 *
 * @example
 * const options = { baseUrl: 'https://cloud.example.com', credentials, version: '2024-05-30', operations: { listAlerts } } as const
 * const client = createPartialClient(withDefaults(options))
 * @throws TypeError for an option of the wrong type.
 */
export function withDefaults<Options extends TransportOptions>(options: Options): Options {
  checkOptions(options)
  setHash(createHash)
  const agent = userAgent()
  const level = readLogLevel()
  const { headers, middleware = [], observer } = options
  return {
    ...options,
    headers: { ...(agent && { 'user-agent': agent }), ...headers },
    // The log is the innermost middleware, so it logs exactly what is sent.
    middleware: level ? [...middleware, createConsoleLog(level)] : middleware,
    observer: observer && shieldObserver(observer),
  }
}

/**
 * Returns a `User-Agent` value with the package, its version and the runtime. Returns `undefined` in
 * browsers, which send their own header.
 */
function userAgent(): string | undefined {
  const { process, navigator } = globalThis as Platform
  const { deno, bun, node } = process?.versions ?? {}
  const runtime = (deno && `deno/${deno}`) || (bun && `bun/${bun}`) || (node && `node/${node}`)
  // The Cloudflare Workers runtime (`workerd`) also needs a `User-Agent` header.
  const worker = navigator?.userAgent === 'Cloudflare-Workers' && 'workerd'
  return runtime || worker ? `${product} ${runtime || worker}` : undefined
}

/**
 * Uses the built-in hash function of Node.js, Deno or Bun, if there is one. Digest needs two hashes per request, which
 * would take longer with WebCrypto than the rest of the call.
 */
function createHash(portable: HashText): HashText {
  const hash = (globalThis as Platform).process?.getBuiltinModule?.('crypto')?.hash
  if (!hash) return portable
  return (text, strong) => {
    try {
      return hash(strong ? 'sha256' : 'md5', text)
    } catch {
      // In FIPS mode, Node.js doesn't support MD5.
      return portable(text, strong)
    }
  }
}

const variable = 'SVC_ADMIN_LOG'

function readLogLevel(): 'debug' | 'warn' | undefined {
  const { process, Deno } = globalThis as Platform
  // Without this check, Deno might ask the user for permission to read the variable.
  if (Deno && Deno.permissions.querySync({ name: 'env', variable }).state !== 'granted') return undefined
  const level = process?.env?.[variable]
  return level === 'debug' || level === 'warn' ? level : undefined
}

/**
 * Logs one line per attempt with `console.warn`, which writes to standard error. `console.debug` writes to standard
 * output and would mix the log with the program's output.
 */
function createConsoleLog(level: 'debug' | 'warn') {
  const warn = (message: string, fields: object): void => console.warn(`${message} ${JSON.stringify(fields)}`)
  const isLevelEnabled = (of: string): boolean => of === 'warn' || level === 'debug'
  return createLog({ logger: { debug: warn, warn, isLevelEnabled } })
}
