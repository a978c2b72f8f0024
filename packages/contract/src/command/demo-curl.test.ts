import { expect, test } from 'vitest'
import { reportOf, result } from '../../test/reports.ts'
import { demoTarget } from '../target/demo.ts'
import { copyOfDemo, targetOn } from '../target/own-demo.ts'
import { demoCredentialsText, withDemoCurl } from './demo-curl.ts'

const lasting = 'http://127.0.0.1:8080'
const tested = `${lasting}/worlds/w1`
const demo = copyOfDemo('contract-1')
const curlAt = (address: string, { things }: ReturnType<typeof demoTarget>): string =>
  `curl -i --digest -u "$SVC_PUBLIC_KEY:$SVC_PRIVATE_KEY" ${address}/api/svc/v2/groups/${things.groupId}/alerts # as PROJECT_OWNER`
const inCopy = {
  ...result('FAIL', 'errors.validation'),
  curl: curlAt(tested, targetOn(demoTarget({ baseUrl: tested }), demo)),
}

test('a curl command of a copy is turned into one for the demo organization', () => {
  const [one] = withDemoCurl([inCopy], demo, { tested, lasting })
  expect(one?.curl).toBe(curlAt(lasting, demoTarget({ baseUrl: lasting })))
  expect(withDemoCurl([inCopy], { ...demo, names: new Map() }, { tested, lasting })).toEqual([inCopy])
})

test('prints the public credentials of the callers in the findings, unless the copy remains', () => {
  const report = reportOf([inCopy], { inDemoCopy: true })
  const { apiKey } = demoTarget({ baseUrl: lasting }).roles.PROJECT_OWNER ?? {}
  expect(demoCredentialsText(report, 80)).toContain(
    `  # as PROJECT_OWNER\n  SVC_PUBLIC_KEY=${apiKey?.publicKey} SVC_PRIVATE_KEY=${apiKey?.privateKey}\n`,
  )
  expect(demoCredentialsText(report, 80)).not.toContain('ORGANIZATION_OWNER')
  expect(demoCredentialsText({ ...report, retainedResources: true }, 80)).toBe('')
  expect(demoCredentialsText(reportOf([inCopy]), 80)).toBe('')
})

test('prints the credentials of both commands if a finding has two', () => {
  const change = curlAt(tested, demoTarget({ baseUrl: tested })).replace('PROJECT_OWNER', 'PROJECT_SVC_ADMIN')
  const report = reportOf([{ ...inCopy, curl: `${change}\n${inCopy.curl}` }], { inDemoCopy: true })
  const text = demoCredentialsText(report, 80)
  for (const role of ['PROJECT_SVC_ADMIN', 'PROJECT_OWNER']) expect(text).toContain(`  # as ${role}\n`)
})
