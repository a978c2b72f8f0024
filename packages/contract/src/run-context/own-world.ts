import { stringAt } from '../document/json.ts'
import { Misconfiguration, NotArranged } from '../model/signals.ts'
import { addressOf } from '../target/address.ts'
import type { Target } from '../target/target.ts'
import { requestControl } from './prerequisites.ts'

/** A copy of the sandbox for a single run, with a separate clock and outbox. */
export interface OwnWorld {
  /** The target in this world. */
  readonly target: Target
  remove(): Promise<void>
}

const within = (address: string, id: string): string => `${address.replace(/\/$/, '')}/worlds/${id}`

/**
 * Creates a world as a copy of the sandbox's main world.
 *
 * @throws Misconfiguration if the target is not a sandbox with worlds.
 */
export const openOwnWorld = async (target: Target): Promise<OwnWorld> => {
  const { control, baseUrl } = target
  if (control === undefined)
    throw new Misconfiguration(
      '--own-world needs a sandbox: pass the address of its control interface with --control',
    )
  addressOf('the control interface', control)
  const cannot = (why: string): never => {
    throw new Misconfiguration(`can't create a world at --control ${control}: ${why}`)
  }
  const made = await requestControl(control, 'POST', '/worlds', { forkOf: 'main' }).catch((error) => {
    if (error instanceof NotArranged) return cannot(error.message)
    throw error
  })
  const id = stringAt(made, 'id') ?? cannot("POST /worlds didn't return an ID")
  return {
    // Keep the address that the kit uses for the sandbox, because the sandbox may report a different address.
    target: { ...target, baseUrl: within(baseUrl, id), control: within(control, id) },
    remove: async () => {
      await requestControl(control, 'DELETE', `/worlds/${id}`)
    },
  }
}
