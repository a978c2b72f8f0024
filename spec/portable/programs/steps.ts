/** Runs a step and prints a line with its result. `npm run portable` reads these lines. */
export async function step(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
    console.log(`ok: ${name}`)
  } catch (error) {
    console.log(`failed: ${name}: ${String(error).replaceAll('\n', ' ').slice(0, 300)}`)
  }
}

export function check(condition: unknown): asserts condition {
  if (!condition) throw new Error('unexpected result')
}

declare const process: { env: Record<string, string | undefined> }

const variable = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is missing.`)
  return value
}

export const baseUrl = variable('SVC_BASE_URL')
export const token = variable('SVC_TOKEN')
export const mediaType = variable('SVC_MEDIA_TYPE')
export const groupId = variable('SVC_GROUP_ID')
export const clusterName = variable('SVC_CLUSTER')
export const missingId = variable('SVC_MISSING_ID')
export const headers = { Accept: mediaType, Authorization: `Bearer ${token}` }
