import type { OperationId } from '@svc-admin/types'
import { type Json, jsonBody, stringAt } from '../document/json.ts'
import type { Cell } from '../engine/api.ts'
import type { CallChanges } from '../engine/call.ts'
import { tellResponse } from '../engine/expect.ts'
import { listed } from '../engine/nearest.ts'
import { NotArranged, Untestable } from '../engine/signals.ts'
import type { Exchange } from '../http/exchange.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { NoResponse } from '../http/transport.ts'
import type { Target } from '../target/target.ts'
import type { Found, Journal, Left } from './journal.ts'
import { changeBack, differences, isAsFound, isLent, isUnset, settingAt } from './settings.ts'

/** What a run changes without having made it. Somebody lent it, and gets it back as it was. */
export interface Lent {
  /** Notes how the setting at a path is, before it is changed for the first time. */
  beforeChange(path: string, parameters: Readonly<Record<string, string>>): Promise<void>
  /** Puts back whatever was changed; returns what could not be. */
  putBack(): Promise<Left[]>
}

export interface LentOptions {
  readonly target: Target
  readonly journal: Journal
  /** The cell through which the kit itself acts. */
  readonly cellOf: (operation: OperationId) => Cell
  /** Calls an operation as somebody who may. */
  readonly request: (
    operation: OperationId,
    parameters: Readonly<Record<string, string>>,
    changes: CallChanges,
  ) => Promise<Exchange>
}

/** Why something could not be asked for; what else goes wrong is a fault of the kit. */
export const reasonOf = (error: unknown): string => {
  const known = [Untestable, NotArranged, NoCredentials, NoResponse].some((kind) => error instanceof kind)
  if (known && error instanceof Error) return error.message
  throw error
}

const succeeded = ({ response }: Exchange): boolean => response.status >= 200 && response.status < 300

export const createLent = ({ target, journal, cellOf, request }: LentOptions): Lent => {
  const noted = new Map<string, Promise<void>>()

  /** An alert of a configuration that the run made is nobody else's. */
  const isOwn = (body: Json): boolean => {
    const id = stringAt(body, 'alertConfigId')
    return journal.left().some(({ parameters }) => id !== undefined && parameters.alertConfigId === id)
  }

  const note = async (path: string, parameters: Readonly<Record<string, string>>): Promise<void> => {
    const setting = settingAt(path)
    if (setting === undefined || !isLent(target, parameters)) return
    try {
      const exchange = await request(setting.read, parameters, {})
      const body = jsonBody(exchange.response)
      if (!succeeded(exchange) || body === undefined || isOwn(body)) return
      journal.found({ operation: setting.change, parameters, body })
    } catch (error) {
      // Where nobody may read, there is nothing to be compared with.
      reasonOf(error)
    }
  }

  const look = async (read: OperationId, { parameters }: Found): Promise<Json> => {
    const exchange = await request(read, parameters, {})
    if (!succeeded(exchange)) throw new Untestable(`it can no longer be read (${tellResponse(exchange)})`)
    return jsonBody(exchange.response) ?? null
  }

  /** Puts one thing back; returns why it could not be. */
  const restore = async (found: Found): Promise<string | undefined> => {
    const cell = cellOf(found.operation)
    const { read, empty } = settingAt(cell.operation.path) ?? {}
    if (read === undefined) return undefined
    let now = await look(read, found)
    if (isAsFound(cell, found.body, now)) return undefined
    if (empty !== undefined && isUnset(cell, found.body)) {
      await request(empty, found.parameters, {})
      now = await look(read, found)
    }
    const body = changeBack(cell, found.body, now)
    const exchange = await request(found.operation, found.parameters, { body })
    const differing = differences(cell, found.body, await look(read, found))
    if (differing.length === 0) return undefined
    const answer = succeeded(exchange) ? '' : ` (putting it back got ${tellResponse(exchange)})`
    return `it differs from before in ${listed(differing, 'and')}${answer}`
  }

  return {
    beforeChange(path, parameters) {
      const key = JSON.stringify([path, parameters])
      const known = noted.get(key) ?? note(path, parameters)
      noted.set(key, known)
      return known
    },
    async putBack() {
      const left: Left[] = []
      for (const found of journal.changed()) {
        const { operation, parameters } = found
        const reason = await restore(found).catch(reasonOf)
        if (reason === undefined) journal.restored(found)
        else left.push({ operation, parameters, reason })
      }
      noted.clear()
      return left
    },
  }
}
