import { limits } from '@svc-admin/types'
import { projectId } from './demo.ts'
import { type ServerProcess, startProcess } from './server-process.ts'

const configs = `/groups/${projectId}/alertConfigs`
const writers = 4

/**
 * The number of times to kill the server, and the number of writes that the server must acknowledge before it is
 * killed.
 */
export interface KillOptions {
  readonly kills: number
  readonly writes: number
  /** Called after each kill. */
  readonly killed?: (count: number) => void
}

/** Kills the server while clients write data. Returns the IDs of all writes acknowledged by the server. */
export async function killDuringWrites(database: string, options: KillOptions): Promise<string[]> {
  const acknowledged: string[] = []
  for (let count = 1; count <= options.kills; count += 1) {
    const server = await startProcess(database)
    const written: string[] = []
    const enough = () => {
      if (written.length >= options.writes) server.kill()
    }
    await Promise.all(Array.from({ length: writers }, () => write(server, written, enough)))
    acknowledged.push(...written)
    options.killed?.(count)
  }
  return acknowledged
}

/** Creates configurations until the server is killed. */
async function write(server: ServerProcess, acknowledged: string[], then: () => void): Promise<void> {
  const json = { eventTypeName: 'HOST_DOWN', notifications: [] }
  for (;;) {
    const response = await server.ask(configs, { method: 'POST', json }).catch(() => undefined)
    if (!response) return
    if (response.status !== 200) throw new Error(`A write returned ${response.status}`)
    acknowledged.push(response.textAt('id'))
    then()
  }
}

/** Restarts the server and returns the acknowledged writes that are missing. */
export async function lostWrites(database: string, acknowledged: readonly string[]): Promise<string[]> {
  const server = await startProcess(database)
  const kept = new Set<string>()
  for (let page = 1; ; page += 1) {
    const list = await server.ask(`${configs}?itemsPerPage=${limits.itemsPerPage.maximum}&pageNum=${page}`)
    const results = list.listAt('results')
    for (const { id } of results) kept.add(String(id))
    if (results.length < limits.itemsPerPage.maximum) break
  }
  await server.kill()
  return acknowledged.filter((id) => !kept.has(id))
}
