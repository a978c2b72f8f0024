import { type Exchange, headerValue } from '../http/exchange.ts'
import { parseMediaType } from '../http/media-type.ts'
import { createTransport } from '../http/transport.ts'
import type { Kit } from '../kit.ts'
import type { Selection } from '../model/selection.ts'
import { Misconfiguration } from '../model/signals.ts'
import { expectKnown } from '../run-context/credentials.ts'
import { type Console, complaint } from './console.ts'

/** Media types of web pages. Implementations of the API don't return web pages. */
const forPeople: readonly (string | undefined)[] = ['text/html', 'application/xhtml+xml']

const question = 'check that it is the address of the service, without /api'

/** Warns if the first response suggests that the address belongs to another service. */
const warnIfUnlikely = ({ request, response, url }: Exchange, console: Console): void => {
  const { status, headers } = response
  const mediaType = parseMediaType(headerValue(headers, 'Content-Type') ?? '')?.essence
  // If a request has no credentials, the API returns a 401 instead of a redirect or a 404.
  if (status !== 404 && !isRedirect(status) && !forPeople.includes(mediaType)) return
  const location = isRedirect(status) && headerValue(headers, 'Location')
  const received = [`${request.method} ${url} returned ${status}`, mediaType, location && `to ${location}`]
  console.warn(complaint(`${received.filter(Boolean).join(' ')}: ${question}`, console))
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** If the service redirects the request to the same path at another address, returns that address. */
const movedTo = ({ request, response, url }: Exchange): string | undefined => {
  const location = headerValue(response.headers, 'Location')
  if (!isRedirect(response.status) || location === undefined || !URL.canParse(location, url)) return undefined
  const { href, origin, pathname, search } = new URL(location, url)
  const path = pathname + search
  return href !== url && path.endsWith(request.path)
    ? origin + path.slice(0, -request.path.length)
    : undefined
}

/** Returns the base URL without `/api`, if the service requests credentials there. */
const addressWithoutApi = async (
  { request, response }: Exchange,
  { context }: Kit,
): Promise<string | undefined> => {
  const { baseUrl, timeoutMs } = context.target
  const { origin, pathname } = new URL(baseUrl)
  const [before, ...after] = pathname.split(/\/api(?=\/|$)/)
  if (response.status !== 404 || after.length === 0) return undefined
  const address = `${origin}${before}`
  const transport = createTransport({ baseUrl: address, ...(timeoutMs !== undefined && { timeoutMs }) })
  const answer = await transport.send(request).catch(() => undefined)
  transport.close()
  return answer?.response.status === 401 ? address : undefined
}

/** @throws Misconfiguration if the response shows that the service has another address. */
const expectRightAddress = async (exchange: Exchange, kit: Kit): Promise<void> => {
  const elsewhere = movedTo(exchange) ?? (await addressWithoutApi(exchange, kit))
  if (elsewhere === undefined) return
  const received = `${exchange.request.method} ${exchange.url} returned ${exchange.response.status}`
  throw new Misconfiguration(`${received}, but the service is at ${elsewhere}: use that address`)
}

/**
 * Expects the API to be at the target's address.
 *
 * @throws Unreachable if nothing responds; Misconfiguration if the control interface doesn't respond or the service
 *   has another address.
 */
export const checkAddress = async (kit: Kit, console: Console): Promise<void> => {
  const exchange = await kit.expectResponse()
  await expectRightAddress(exchange, kit)
  warnIfUnlikely(exchange, console)
}

/**
 * Checks the address and the credentials before the run starts.
 *
 * @throws Unreachable if nothing responds; Misconfiguration if the settings are wrong.
 */
export const checkBeforeRun = async (kit: Kit, selection: Selection, console: Console): Promise<void> => {
  try {
    await checkAddress(kit, console)
    // The target file's credentials aren't valid for a copy of the demo organization.
    if (kit.context.demo.names.size === 0) await expectKnown(kit.context, selection)
  } catch (error) {
    kit.close()
    throw error
  }
}
