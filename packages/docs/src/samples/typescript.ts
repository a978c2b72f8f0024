import type { SampleCall } from './call.ts'

/**
 * Formats JSON as a TypeScript literal with single quotes and two spaces of indentation. Names are quoted only where
 * necessary.
 */
export function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((each) => `${inner}${literal(each, inner)},\n`).join('')}${indent}]`
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0) return '{}'
    const lines = entries.map(([name, each]) => `${inner}${property(name)}: ${literal(each, inner)},\n`)
    return `{\n${lines.join('')}${indent}}`
  }
  return String(value)
}

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const property = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

type ClientCall = Pick<SampleCall, 'arguments' | 'body' | 'operationId' | 'paged' | 'version'>

export function typescriptProgram(call: ClientCall): string {
  const { arguments: given, body, operationId, paged, version } = call
  const values = { ...given, ...(body !== undefined && { body }) }
  const argument = Object.keys(values).length > 0 ? literal(values) : ''
  const use = paged
    ? [`for await (const item of client.${operationId}.items(${argument})) console.log(item)`]
    : [`const response = await client.${operationId}(${argument})`, 'console.log(response)']
  return [
    "import { createClient, fromEnv } from '@svc-admin/client'",
    '',
    `const client = createClient({ ...fromEnv(), version: '${version}' })`,
    ...use,
  ].join('\n')
}
