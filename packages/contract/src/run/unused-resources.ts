import type { Cell } from '../model/api.ts'
import type { Recorded } from '../model/call.ts'
import type { Case } from './plan.ts'

type Parameters = Readonly<Record<string, string>>

/** The path parameters of one check. */
export interface Lease {
  /** Returns the parameters that an earlier check left unused, or else creates new ones. */
  parameters(create: () => Promise<Parameters>): Promise<Parameters>
  /** Ends the check. If the target rejected all its changes, a later check can use the same parameters. */
  end(passed: boolean, recorded: readonly Recorded[]): void
}

/**
 * Lets `refusal` checks use the same resources one after another. Without this, each of thousands of checks would
 * create a resource that no request changes.
 */
export interface UnusedResources {
  lease(one: Case): Lease
}

/** A restore job finishes on its own, so each check needs a new one. */
const changesByItself = ({ operation }: Cell): boolean => operation.id === 'cancelRestoreJob'

const isRefused = ({ exchange: { request, response } }: Recorded): boolean =>
  request.method === 'GET' || response.status >= 400

export const createUnusedResources = (): UnusedResources => {
  const unused = new Map<string, Parameters[]>()
  return {
    lease({ phase, cell }) {
      let used: Promise<Parameters> | undefined
      const left = unused.get(cell.key) ?? []
      unused.set(cell.key, left)
      return {
        parameters(create) {
          const known = phase === 'refusal' ? left.pop() : undefined
          used = known === undefined ? create() : Promise.resolve(known)
          return used
        },
        end(passed, recorded) {
          if (phase !== 'refusal' || !passed || changesByItself(cell) || !recorded.every(isRefused)) return
          used?.then(
            (parameters) => left.push(parameters),
            () => {},
          )
        },
      }
    },
  }
}
