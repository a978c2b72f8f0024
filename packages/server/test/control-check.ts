import { loadControlDocument, type Operation } from '@svc-admin/spec'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const document = loadControlDocument()
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'control')

const methods = ['get', 'put', 'post', 'delete'] as const

interface ControlOperation {
  readonly name: string
  readonly pattern: RegExp
  readonly operation: Operation
  /** The JSON Pointer to the operation in the OpenAPI document. */
  readonly pointer: string
}

const pointerPart = (name: string) =>
  name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')

/** The operations of the control interface, with names such as `GET /clock`. */
export const controlOperations: readonly ControlOperation[] = Object.entries(document.paths).flatMap(
  ([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (!operation) return []
      const pattern = new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/]+')}$`)
      const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      return [
        { name, pattern, operation, pointer: `control#/paths/${pointerPart(path)}/${method}/responses` },
      ]
    }),
)

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/**
 * Describes how a response violates the control interface's OpenAPI document. Returns an empty list if the response is
 * valid.
 */
export function controlViolationsOf(
  method: string,
  target: string,
  { status, headers, body }: Answered,
): string[] {
  const path = target.replace(/\?.*$/, '').replace(/^\/worlds\/[^/]+(?=\/)/, '')
  const asked = `${method} ${path}`
  const found = controlOperations.find(({ pattern }) => pattern.test(asked))
  const refused = status >= 400
  if (!found && !refused) return [`${asked}: not in the document`]
  const kind = refused ? '4XX' : String(status)
  const type = headers.get('content-type')?.split(';')[0] ?? 'none'
  if (refused) return check('control#/components/schemas/Refusal', `${asked} ${status}`, body)
  const content = Object(found?.operation.responses[kind])
  if (content.$ref !== undefined)
    return check(`control${content.$ref}/content/application~1json/schema`, asked, body)
  if (content.content?.[type] === undefined) return [`${asked}: returned ${status} ${type}`]
  return check(`${found?.pointer}/${kind}/content/${pointerPart(type)}/schema`, asked, body)
}

function check(reference: string, asked: string, body: unknown): string[] {
  const validate = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference })
  if (validate(body)) return []
  return (validate.errors ?? []).map((error) => `${asked}: ${error.instancePath} ${error.message}`)
}

const bodies: Readonly<Record<string, unknown>> = Object(document.components).requestBodies

/** Returns an operation's example request body, or undefined if there is none. */
export function exampleOf(operation: Operation): unknown {
  const reference: unknown = Object(Reflect.get(operation, 'requestBody')).$ref
  if (typeof reference !== 'string') return undefined
  return Object(bodies[reference.split('/').at(-1) ?? '']).content['application/json'].example
}
