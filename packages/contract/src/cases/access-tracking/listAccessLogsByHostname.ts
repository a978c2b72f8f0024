import { always, rules } from '../../check/rule.ts'
import { isArray, isObject, listAt, stringAt } from '../../document/json.ts'
import { bodyOf, expectSuccess, expectThat } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { arrangeAccessLogs } from '../../resources/access-logs.ts'

export default rules({
  'listAccessLogsByHostname.answers-with-access-logs': always(async (trial) => {
    const exchange = await trial.try()
    expectSuccess(exchange)
    const body = bodyOf(exchange)
    const right = isObject(body) && isArray(body.accessLogs)
    expectThat(right, {
      expected: 'an object with accessLogs',
      actual: JSON.stringify(body).slice(0, 80),
      exchange,
    })
  }),

  'listAccessLogsByHostname.only-this-host': always(async (trial) => {
    await arrangeAccessLogs(trial.context)
    const { hostname } = (await trial.good()).parameters
    const exchange = await trial.try()
    const hosts = listAt(bodyOf(exchange), 'accessLogs').flatMap((entry) => stringAt(entry, 'hostname') ?? [])
    if (hosts.length === 0) throw new Untestable('an access history of the host')
    const right = hosts.every((host) => host === hostname)
    expectThat(right, {
      expected: `attempts against ${hostname}`,
      actual: [...new Set(hosts)].join(', '),
      exchange,
    })
  }),
})
