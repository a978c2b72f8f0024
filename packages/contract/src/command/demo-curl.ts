import type { Result } from '../model/result.ts'
import type { Report } from '../report/report.ts'
import { wrap } from '../report/text.ts'
import { demoTarget } from '../target/demo.ts'
import type { OwnDemo } from '../target/own-demo.ts'
import { variablesOf } from './retained-resources.ts'

const words = /[^\W_]+/g

/**
 * Rewrites the `curl` commands of a run that used a copy of the demo organization. After the run, neither the
 * copy nor the run's own resources exist, so the commands use the original demo organization.
 *
 * @param address.tested The address that the run used, for example the address of a separate sandbox world.
 * @param address.lasting An address that remains valid after the run.
 */
export const withDemoCurl = (
  results: readonly Result[],
  { names }: OwnDemo,
  address: { readonly tested: string; readonly lasting: string },
): readonly Result[] => {
  if (names.size === 0) return results
  const original = new Map([...names].map(([name, copy]) => [copy, name]))
  return results.map((result) =>
    result.curl === undefined
      ? result
      : {
          ...result,
          curl: result.curl
            .replaceAll(address.tested, address.lasting)
            .replace(words, (word) => original.get(word) ?? word),
        },
  )
}

/** Lists the public credentials that the `curl` commands in the findings need. */
export const demoCredentialsText = (
  { findings, target, inDemoCopy, retainedResources }: Report,
  columns: number,
): string => {
  if (!inDemoCopy || retainedResources) return ''
  const used = new Set(
    findings.flatMap(({ results: [{ curl = '' }] }) =>
      [...curl.matchAll(/ # as (\w+)$/gm)].map(([, name]) => name),
    ),
  )
  const { roles, others = {} } = demoTarget({ baseUrl: target })
  const lines = Object.entries({ ...roles, ...others })
    .filter(([name]) => used.has(name))
    .flatMap(([name, holder]) => [
      `  # as ${name}`,
      ...variablesOf(holder).flatMap((line) =>
        wrap(line, columns - 2, { whole: true }).map((one) => `  ${one}`),
      ),
    ])
  return lines.length === 0 ? '' : ['', 'Credentials for the curl commands:', ...lines, ''].join('\n')
}
