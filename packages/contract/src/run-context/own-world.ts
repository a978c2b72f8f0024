import { stringAt } from '../document/json.ts'
import { Misconfiguration, NotArranged } from '../engine/signals.ts'
import { addressOf } from '../target/address.ts'
import type { Target } from '../target/target.ts'
import { requestControl } from './prerequisites.ts'

/** A copy of a sandbox for one run, with a clock and an outbox that no other run shares. */
export interface OwnWorld {
  /** The same target, in the world. */
  readonly target: Target
  remove(): Promise<void>
}

const within = (address: string, id: string): string => `${address.replace(/\/$/, '')}/worlds/${id}`

/**
 * Makes a world of a sandbox, which goes on from the one without a prefix.
 *
 * @throws Misconfiguration when there is no sandbox that has worlds.
 */
export const openOwnWorld = async (target: Target): Promise<OwnWorld> => {
  const { control, baseUrl } = target
  if (control === undefined)
    throw new Misconfiguration('--own-world needs a sandbox: name its control interface with --control')
  addressOf('the control interface', control)
  const cannot = (why: string): never => {
    throw new Misconfiguration(`--control ${control} offers no world of its own: ${why}`)
  }
  const made = await requestControl(control, 'POST', '/worlds', { forkOf: 'main' }).catch((error) => {
    if (error instanceof NotArranged) return cannot(error.message)
    throw error
  })
  const id = stringAt(made, 'id') ?? cannot('POST /worlds told no id')
  return {
    // The world is where the run reaches the sandbox, which may call itself something else.
    target: { ...target, baseUrl: within(baseUrl, id), control: within(control, id) },
    remove: async () => {
      await requestControl(control, 'DELETE', `/worlds/${id}`)
    },
  }
}
