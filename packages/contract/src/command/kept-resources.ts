import { wrap } from '../report/text.ts'
import type { RunContext } from '../run-context/run-context.ts'
import type { Holder } from '../target/target.ts'
import type { Values } from './arguments.ts'

const variablesOf = ({ apiKey, serviceAccount }: Holder): string[] => [
  ...(apiKey ? [`SVC_PUBLIC_KEY=${apiKey.publicKey} SVC_PRIVATE_KEY=${apiKey.privateKey}`] : []),
  ...(serviceAccount
    ? [`SVC_CLIENT_ID=${serviceAccount.clientId} SVC_CLIENT_SECRET=${serviceAccount.clientSecret}`]
    : []),
]

/** The command that takes away what this one left. */
const cleanupLine = (values: Values): string => {
  const named = (['target', 'base-url', 'control', 'journal'] as const).flatMap((name) =>
    values[name] === undefined ? [] : [`--${name} ${values[name]}`],
  )
  return ['contract cleanup', ...named, ...(values['yes-this-target'] ? ['--yes-this-target'] : [])].join(' ')
}

/**
 * What became of what a run made and kept. The credentials of a copy of the demo organisation are told: its secrets are
 * those of the demo organisation, which everybody may know; those of anybody else are in the target file.
 */
export const keptResourcesText = ({ demo, target }: RunContext, values: Values, columns: number): string => {
  const until = `What the run made is kept until: ${cleanupLine(values)}`
  const inCopy = demo.names.size > 0
  const holders = inCopy ? Object.entries({ ...target.roles, ...target.others }) : []
  const credentials = holders.flatMap(([name, holder]) => [
    `  # as ${name}`,
    ...variablesOf(holder).flatMap((line) =>
      wrap(line, columns - 2, { whole: true }).map((one) => `  ${one}`),
    ),
  ])
  return ['', ...wrap(until, columns, { whole: true }), ...credentials, ''].join('\n')
}
