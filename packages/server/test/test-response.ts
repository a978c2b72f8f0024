/** A response with its parsed body. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
  /** Returns the value at a path in the body, or undefined if the path doesn't exist. */
  at(...path: (string | number)[]): unknown
  /** Returns the string at a path in the body. */
  textAt(...path: (string | number)[]): string
  /** Returns the objects in the array at a path in the body. If the array doesn't exist, throws an error. */
  listAt(...path: (string | number)[]): Readonly<Record<string, unknown>>[]
}

/** Reads a complete response. */
export async function readResponse(response: Response): Promise<TestResponse> {
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  const body: unknown = isJson ? JSON.parse(text) : text
  const at = (...path: (string | number)[]) => path.reduce(field, body)
  const listAt = (...path: (string | number)[]) => {
    const list = at(...path)
    if (!Array.isArray(list)) throw new Error(`The response has no array at /${path.join('/')}: ${text}`)
    return list
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    at,
    textAt: (...path) => String(at(...path)),
    listAt,
  }
}

function field(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
