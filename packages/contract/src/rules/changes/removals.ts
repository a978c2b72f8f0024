import { always, both, onApi, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Cell } from '../../model/api.ts'
import { describeResponse, expectRefused, isSuccess } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { lastParameter, removesOne } from '../../run-context/removers.ts'

const onRemoval = ({ operation }: Cell): true | string =>
  removesOne(operation) || 'the operation removes no single resource'

/** Returns the operations that read or change the resource, in the version under test. */
const othersOf = ({ context, cell }: Trial): Cell[] =>
  context.api.cells.filter(
    ({ operation, version }) =>
      version.id === cell.version.id &&
      operation.method !== 'DELETE' &&
      lastParameter(operation.path) === lastParameter(cell.operation.path) &&
      operation.pathParameters.every((name) => cell.operation.pathParameters.includes(name)),
  )

const callEach = async (
  trial: Trial,
  others: readonly Cell[],
  parameters: Readonly<Record<string, string>>,
): Promise<{ other: Cell; exchange: Exchange }[]> => {
  const called: { other: Cell; exchange: Exchange }[] = []
  for (const other of others) {
    const exchange = await trial.send(await trial.callOf(other.operation.id, { parameters }))
    called.push({ other, exchange })
  }
  return called
}

export default rules({
  'resources.removed-refused': always(
    async (trial) => {
      const { parameters } = await trial.good()
      // Call each operation before the removal too, because a server may cache the resource.
      const before = await callEach(trial, othersOf(trial), parameters)
      const working = before.filter(({ exchange }) => isSuccess(exchange)).map(({ other }) => other)
      const removal = await trial.try()
      if (!isSuccess(removal)) throw new Untestable(`a removal that succeeds (${describeResponse(removal)})`)
      const after = await callEach(trial, working, parameters)
      // A server may remove resources in the background.
      const isReadable = after.some(
        ({ other, exchange }) => other.operation.method === 'GET' && isSuccess(exchange),
      )
      if (isReadable) return
      for (const { other, exchange } of after)
        expectRefused(exchange, `the resource was removed before ${other.operation.id}`)
    },
    { at: both(onApi, onRemoval), phase: 'write' },
  ),
})
