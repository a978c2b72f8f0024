import type { Selection } from '../engine/plan.ts'
import { type Exchange, headerValue } from '../http/exchange.ts'
import { parseMediaType } from '../http/media-type.ts'
import type { Kit } from '../kit.ts'
import { expectKnown } from '../world/credentials.ts'
import { type Console, complaint } from './console.ts'

/** Formats for people, in which no implementation of the API answers. */
const forPeople: readonly (string | undefined)[] = ['text/html', 'application/xhtml+xml']

/** Says so when the first answer looks as if the target were something else altogether. */
const doubt = ({ request, response, url }: Exchange, console: Console): void => {
  const mediaType = parseMediaType(headerValue(response.headers, 'Content-Type') ?? '')?.essence
  if (!forPeople.includes(mediaType)) return
  const asked = `${request.method} ${url} answers ${response.status} ${mediaType}`
  console.warn(complaint(`${asked}: is the address right? It is that of the service, before /api`, console))
}

/**
 * Whether there is something to be tested at the address.
 *
 * @throws Unreachable when nothing answers; Misconfiguration when the control interface does not.
 */
export const tryAddress = async (kit: Kit, console: Console): Promise<void> =>
  doubt(await kit.expectAnswer(), console)

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
