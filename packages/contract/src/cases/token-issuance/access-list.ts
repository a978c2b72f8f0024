import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { always, forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectSuccess, isSuccess } from '../../model/expect.ts'
import { NotArranged, Untestable } from '../../model/signals.ts'
import { basic, expectTokenError, restrictedAccount, seededAccount } from '../../resources/token-accounts.ts'

/** Requests a token for a new account with this access list. */
const requestWith = async (trial: Trial, accessList: readonly string[]): Promise<Exchange> => {
  if (!trial.context.prerequisites.canSeed) throw new Untestable('a service account with another access list')
  return trial.try({ as: basic(await seededAccount(trial, accessList), true) })
}

/** Returns the IPv4 addresses of this machine. The target may see another address, for example behind a proxy. */
const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address }) => address)
    .filter(isIPv4)
    .sort((one, other) => Number(other.startsWith('127.')) - Number(one.startsWith('127.')))

/** The maximum number of addresses to try. */
const maxAddresses = 5

/** Returns the address from which the target receives the kit's requests. */
const callerAddress = (trial: Trial): Promise<string> =>
  trial.context.once('address of the caller', async () => {
    for (const address of ownAddresses().slice(0, maxAddresses))
      if (isSuccess(await requestWith(trial, [address]))) return address
    throw new Untestable("the IPv4 address of the kit's requests")
  })

/** Returns the address with another last part. */
const neighbor = (address: string, lastPart: (part: number) => number): string => {
  const parts = address.split('.').map(Number)
  return [...parts.slice(0, -1), lastPart(parts.at(-1) ?? 0)].join('.')
}

const rangeOf = (address: string): string => `${neighbor(address, () => 0)}/24`

/**
 * @throws Untestable if the target's access lists can't contain ranges. The specification doesn't say whether they can,
 *   so a hook may also reject such a list.
 */
const needsRanges = async (trial: Trial, address: string): Promise<void> => {
  const unsupported = new Untestable('a server whose access lists can contain ranges')
  const exchange = await requestWith(trial, [rangeOf(address)]).catch((error: unknown) => {
    throw error instanceof NotArranged ? unsupported : error
  })
  if (!isSuccess(exchange)) throw unsupported
}

/** These addresses are reserved for documentation (RFC 5737). */
const strangers = ['192.0.2.7', '198.51.100.9'] as const

const positions = ['first', 'middle', 'last'] as const
const kinds = ['address', 'range'] as const

interface Entry {
  readonly kind: (typeof kinds)[number]
  readonly position: (typeof positions)[number]
}

const listWith = (entry: string, position: Entry['position']): readonly string[] => {
  const [one, other] = strangers
  return { first: [entry, one, other], middle: [one, entry, other], last: [one, other, entry] }[position]
}

/** Addresses that aren't the caller's address, but whose text is similar. */
const similarTo = (address: string): readonly string[] => [
  neighbor(address, (part) => (part % 254) + 1),
  neighbor(address, (part) => (part < 25 ? part * 10 : Math.floor(part / 10))),
]

/** A range that contains only the other half of the addresses in the caller's network. */
const otherHalfOf = (address: string): string => `${neighbor(address, (part) => (part < 128 ? 128 : 0))}/25`

export default rules({
  'issueToken.access-list': [
    always(async (trial) => {
      const exchange = await trial.try({ as: basic(restrictedAccount(trial), true) })
      expectTokenError(exchange, 'access_denied', 'the address is not on the access list')
    }),
    always(
      async (trial) =>
        expectTokenError(
          await requestWith(trial, strangers),
          'access_denied',
          'none of the entries of the access list matches the address',
        ),
      { label: 'several other entries' },
    ),
    forEach(
      () => kinds,
      (kind) => `similar ${kind}`,
      async (trial, kind) => {
        const address = await callerAddress(trial)
        if (kind === 'range') await needsRanges(trial, address)
        const list = kind === 'range' ? [otherHalfOf(address)] : similarTo(address)
        const why = `none of the entries ${list.join(', ')} matches ${address}`
        expectTokenError(await requestWith(trial, list), 'access_denied', why)
      },
    ),
    forEach(
      () => kinds.flatMap((kind) => positions.map((position): Entry => ({ kind, position }))),
      ({ kind, position }) => `${kind} as the ${position} entry`,
      async (trial, { kind, position }) => {
        const address = await callerAddress(trial)
        if (kind === 'range') await needsRanges(trial, address)
        const entry = kind === 'range' ? rangeOf(address) : address
        expectSuccess(
          await requestWith(trial, listWith(entry, position)),
          `a token, because the ${position} entry of the access list matches the address`,
        )
      },
    ),
  ],
})
