import { always, ownResourceRule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { isArray, isObject, listAt, stringAt, textsIn } from '../../document/json.ts'
import { fullClusters, kinds } from '../../given/clusters.ts'
import { bodyOf, expectSuccess, expectThat } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { addAttempts, arrangeAccessLogs, userOf } from '../../resources/access-logs.ts'
import { ownCluster, ownProject, sendRequest } from '../../resources/own-resources.ts'

const onlyThisCluster = async (trial: Trial): Promise<void> => {
  const { context } = trial
  await arrangeAccessLogs(context)
  const [own, other] = fullClusters(context)
  if (!context.prerequisites.canAddAccessLogs || own === undefined || other === undefined)
    throw new Untestable('two clusters with an access history created by this run')
  const exchange = await trial.try({ parameters: { clusterName: own.name } })
  const entries = listAt(bodyOf(exchange), 'accessLogs')
  const users = entries.flatMap(textsIn)
  const [ownUser, otherUser] = [userOf(context, own.name), userOf(context, other.name)]
  // The specification doesn't show the fields of entries, so entries may not contain the username.
  const isUserShown =
    entries.some((entry) => stringAt(entry, 'username') !== undefined) ||
    [ownUser, otherUser].some((user) => users.includes(user))
  if (entries.length > 0 && !isUserShown) throw new Untestable('access-log entries that show the username')
  expectThat(users.includes(ownUser), {
    expected: `login attempts by ${ownUser}`,
    actual: 'none',
    exchange,
  })
  expectThat(!users.includes(otherUser), {
    expected: `no login attempts by ${otherUser}`,
    actual: 'some',
    exchange,
  })
}

/** Cluster names are unique only within a project. */
const onlyThisProject = async (trial: Trial): Promise<void> => {
  const { context } = trial
  if (!context.prerequisites.canAddAccessLogs)
    throw new Untestable('two clusters with the same name and an access history created by this run')
  const one = await ownCluster(context, kinds.replicaSet, await ownProject(context))
  const name = { name: one.clusterName }
  const other = await ownCluster(context, { ...kinds.replicaSet, ...name }, await ownProject(context))
  const [ownUser, otherUser] = [`${context.runTag}-one`, `${context.runTag}-other`]
  await addAttempts(context, one, ownUser)
  await addAttempts(context, other, otherUser)
  const exchange = await sendRequest(trial, one)
  const users = listAt(bodyOf(exchange), 'accessLogs').flatMap(textsIn)
  if (!users.includes(ownUser) && !users.includes(otherUser))
    throw new Untestable('access-log entries that show the username')
  expectThat(!users.includes(otherUser), {
    expected: 'no login attempts on a cluster with the same name in another project',
    actual: 'some',
    exchange,
  })
}

export default rules({
  'listAccessLogsByCluster.answers-with-access-logs': always(async (trial) => {
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

  'listAccessLogsByCluster.only-this-cluster': [
    always(onlyThisCluster),
    ownResourceRule(onlyThisProject, { label: 'same name' }),
  ],
})
