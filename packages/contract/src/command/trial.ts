import type { Selection } from '../engine/plan.ts'
import { Misconfiguration } from '../engine/signals.ts'
import { type Exchange, headerValue } from '../http/exchange.ts'
import { parseMediaType } from '../http/media-type.ts'
import { createTransport } from '../http/transport.ts'
import type { Kit } from '../kit.ts'
import { expectKnown } from '../world/credentials.ts'
import { type Console, complaint } from './console.ts'

/** Formats for people, in which no implementation of the API answers. */
const forPeople: readonly (string | undefined)[] = ['text/html', 'application/xhtml+xml']

const question = 'is the address right? It is that of the service, before /api'

/** Says so when the first answer looks as if the target were something else altogether. */
const doubt = ({ request, response, url }: Exchange, console: Console): void => {
  const { status, headers } = response
  const mediaType = parseMediaType(headerValue(headers, 'Content-Type') ?? '')?.essence
  // Whoever sends no credentials is asked for them, and neither sent elsewhere nor told that nothing is there.
  if (status !== 404 && !isRedirect(status) && !forPeople.includes(mediaType)) return
  const location = isRedirect(status) && headerValue(headers, 'Location')
  const answer = [`${request.method} ${url} answers ${status}`, mediaType, location && `to ${location}`]
  console.warn(complaint(`${answer.filter(Boolean).join(' ')}: ${question}`, console))
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** The address to which all of the service has moved, where an answer leads to what was asked for. */
const movedTo = ({ request, response, url }: Exchange): string | undefined => {
  const location = headerValue(response.headers, 'Location')
  if (!isRedirect(response.status) || location === undefined || !URL.canParse(location, url)) return undefined
  const { href, origin, pathname, search } = new URL(location, url)
  const path = pathname + search
  return href !== url && path.endsWith(request.path)
    ? origin + path.slice(0, -request.path.length)
    : undefined
}

/** The address before `/api`, where one has that in it and the service asks for credentials there. */
const addressBeforeApi = async (
  { request, response }: Exchange,
  { world }: Kit,
): Promise<string | undefined> => {
  const { baseUrl, timeoutMs } = world.target
  const { origin, pathname } = new URL(baseUrl)
  const [before, ...after] = pathname.split(/\/api(?=\/|$)/)
  if (response.status !== 404 || after.length === 0) return undefined
  const address = `${origin}${before}`
  const transport = createTransport({ baseUrl: address, ...(timeoutMs !== undefined && { timeoutMs }) })
  const answer = await transport.send(request).catch(() => undefined)
  transport.close()
  return answer?.response.status === 401 ? address : undefined
}

/** @throws Misconfiguration when the service is known to be elsewhere. */
const expectHere = async (exchange: Exchange, kit: Kit): Promise<void> => {
  const elsewhere = movedTo(exchange) ?? (await addressBeforeApi(exchange, kit))
  if (elsewhere === undefined) return
  const asked = `${exchange.request.method} ${exchange.url} answers ${exchange.response.status}`
  throw new Misconfiguration(`${asked}, and the service is at ${elsewhere}: name that address`)
}

/**
 * Whether there is something to be tested at the address.
 *
 * @throws Unreachable when nothing answers; Misconfiguration when the control interface does not, or the service is
 * elsewhere.
 */
export const tryAddress = async (kit: Kit, console: Console): Promise<void> => {
  const exchange = await kit.expectResponse()
  await expectHere(exchange, kit)
  doubt(exchange, console)
}

/**
 * Whether a run is worth its while.
 *
 * @throws Unreachable when nothing answers; Misconfiguration when it is the settings that are wrong.
 */
export const tryBeforeRun = async (kit: Kit, selection: Selection, console: Console): Promise<void> => {
  try {
    await tryAddress(kit, console)
    // Those of a copy of the demo organisation come with it.
    if (kit.world.demo.names.size === 0) await expectKnown(kit.world, selection)
  } catch (error) {
    kit.close()
    throw error
  }
}
