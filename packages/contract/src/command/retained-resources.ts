import { wrap } from '../report/text.ts'
import type { RunContext } from '../run-context/run-context.ts'
import type { Holder } from '../target/target.ts'
import type { Values } from './arguments.ts'

/** Returns shell commands that set the variables in a report's `curl` commands. */
export const variablesOf = ({ apiKey, serviceAccount }: Holder): string[] => [
  ...(apiKey ? [`SVC_PUBLIC_KEY=${apiKey.publicKey} SVC_PRIVATE_KEY=${apiKey.privateKey}`] : []),
  ...(serviceAccount
    ? [`SVC_CLIENT_ID=${serviceAccount.clientId} SVC_CLIENT_SECRET=${serviceAccount.clientSecret}`]
    : []),
]

/** Returns the command that deletes everything that this run has created. */
const cleanupLine = (values: Values): string => {
  const named = (['target', 'base-url', 'control', 'journal'] as const).flatMap((name) =>
    values[name] === undefined ? [] : [`--${name} ${values[name]}`],
  )
  return ['contract cleanup', ...named, ...(values['yes-this-target'] ? ['--yes-this-target'] : [])].join(' ')
}

/**
 * Explains how to delete the resources that a run with `--keep` has kept. If the run used a copy of the demo
 * organization, also lists its credentials. The credentials of the copy aren't secret, because they are derived from
 * public credentials. All other credentials are in the target file.
 */
export const retainedResourcesText = (
  { demo, target }: RunContext,
  values: Values,
  columns: number,
): string => {
  const until = `The run's resources were kept. To remove them: ${cleanupLine(values)}`
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
