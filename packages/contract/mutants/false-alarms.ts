import { openKit } from '../src/kit.ts'
import type { Selection } from '../src/model/selection.ts'
import { demoTarget } from '../src/target/demo.ts'
import { openProxy } from './proxy.ts'
import { type RunningServer, resetSandbox } from './server.ts'
import { isFalseAlarm, type Variant } from './variant.ts'

interface AlarmOptions {
  readonly seed: number
  readonly selection: Selection
}

/** Runs the kit against a server with unusual but valid responses. Every finding is a false alarm. */
export const falseAlarmsOf = async (
  variant: Variant,
  server: Pick<RunningServer, 'baseUrl' | 'control'>,
  options: AlarmOptions,
): Promise<string[]> => {
  await resetSandbox(server.control)
  const proxy = await openProxy(server.baseUrl, variant.sending)
  proxy.interfere(variant.make())
  const target = demoTarget({ baseUrl: proxy.url, control: server.control })
  const kit = await openKit({ target, ...options })
  const { results } = await kit.run()
  await proxy.close()
  return results
    .filter((result) => isFalseAlarm(variant, result))
    .map(
      ({ id, verdict, expected, actual, reason }) =>
        `${verdict} ${id}: ${expected ?? reason} / ${actual ?? ''}`,
    )
}
