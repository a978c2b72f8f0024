import type { OperationId } from '@svc-admin/types'
import { type Json, jsonBody, stringAt } from '../document/json.ts'
import { UnsupportedCoding } from '../http/coding.ts'
import type { Exchange } from '../http/exchange.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { NoResponse } from '../http/transport.ts'
import type { Cell } from '../model/api.ts'
import type { CallChanges } from '../model/call.ts'
import { describeResponse } from '../model/expect.ts'
import type { Leftover } from '../model/leftover.ts'
import { joinNames } from '../model/nearest.ts'
import { NotArranged, Untestable } from '../model/signals.ts'
import type { Target } from '../target/target.ts'
import type { Journal, OriginalState } from './journal.ts'
import { changeBack, differences, isAsFound, isProvided, isUnset, settingAt } from './settings.ts'

/** The provided resources that a run changes and restores. */
export interface ProvidedResources {
  /** Records a setting before the run changes it for the first time. */
  beforeChange(path: string, parameters: Readonly<Record<string, string>>): Promise<void>
  /** Restores everything that has changed. Returns what couldn't be restored. */
  restore(): Promise<Leftover[]>
}

export interface ProvidedResourcesOptions {
  readonly target: Target
  readonly journal: Journal
  /** Returns the operation version for a call that the kit itself makes. */
  readonly cellOf: (operation: OperationId) => Cell
  /** Calls an operation with credentials that allow the call. */
  readonly request: (
    operation: OperationId,
    parameters: Readonly<Record<string, string>>,
    changes: CallChanges,
  ) => Promise<Exchange>
}

/** Returns the reason why a request couldn't be sent. Other errors are bugs in the kit, so they are rethrown. */
export const reasonOf = (error: unknown): string => {
  const known = [Untestable, NotArranged, NoCredentials, NoResponse, UnsupportedCoding].some(
    (kind) => error instanceof kind,
  )
  if (known && error instanceof Error) return error.message
  throw error
}

const succeeded = ({ response }: Exchange): boolean => response.status >= 200 && response.status < 300

export const createProvidedResources = ({
  target,
  journal,
  cellOf,
  request,
}: ProvidedResourcesOptions): ProvidedResources => {
  const noted = new Map<string, Promise<void>>()

  // Returns whether the run has created the configuration. The alert of such a configuration also belongs to the run.
  const isOwn = (body: Json): boolean => {
    const id = stringAt(body, 'alertConfigId')
    return journal.left().some(({ parameters }) => id !== undefined && parameters.alertConfigId === id)
  }

  const note = async (path: string, parameters: Readonly<Record<string, string>>): Promise<void> => {
    const setting = settingAt(path)
    if (setting === undefined || !isProvided(target, parameters)) return
    try {
      const exchange = await request(setting.read, parameters, {})
      const body = jsonBody(exchange.response)
      if (!succeeded(exchange) || body === undefined || isOwn(body)) return
      journal.original({ operation: setting.change, parameters, body })
    } catch (error) {
      // If the resource can't be read, it doesn't have to be restored. Unexpected errors are rethrown.
      reasonOf(error)
    }
  }

  const readSetting = async (read: OperationId, { parameters }: OriginalState): Promise<Json> => {
    const exchange = await request(read, parameters, {})
    if (!succeeded(exchange))
      throw new Untestable(`the setting can no longer be read (${describeResponse(exchange)})`)
    return jsonBody(exchange.response) ?? null
  }

  // Restores a resource. Returns the reason if the restoration fails.
  const restoreSetting = async (found: OriginalState): Promise<string | undefined> => {
    const cell = cellOf(found.operation)
    const { read, empty } = settingAt(cell.operation.path) ?? {}
    if (read === undefined) return undefined
    let now = await readSetting(read, found)
    if (isAsFound(cell, found.body, now)) return undefined
    if (empty !== undefined && isUnset(cell, found.body)) {
      await request(empty, found.parameters, {})
      now = await readSetting(read, found)
    }
    const body = changeBack(cell, found.body, now)
    const exchange = await request(found.operation, found.parameters, { body })
    const differing = differences(cell, found.body, await readSetting(read, found))
    if (differing.length === 0) return undefined
    const answer = succeeded(exchange)
      ? ''
      : ` (the request to restore them got ${describeResponse(exchange)})`
    return `the values of ${joinNames(differing, 'and')} have changed${answer}`
  }

  return {
    beforeChange(path, parameters) {
      const key = JSON.stringify([path, parameters])
      const known = noted.get(key) ?? note(path, parameters)
      noted.set(key, known)
      return known
    },
    async restore() {
      const left: Leftover[] = []
      for (const found of journal.changed()) {
        const { operation, parameters } = found
        const reason = await restoreSetting(found).catch(reasonOf)
        if (reason === undefined) journal.restored(found)
        else left.push({ operation, parameters, reason })
      }
      noted.clear()
      return left
    },
  }
}
