/** A response with its parsed body. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
  /** Returns a value in the body, or undefined if there is no such value. */
  at(...path: (string | number)[]): unknown
  /** Returns a string in the body. */
  textAt(...path: (string | number)[]): string
}

/** Reads a response until its end. */
export async function readResponse(response: Response): Promise<TestResponse> {
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  const body: unknown = isJson ? JSON.parse(text) : text
  const at = (...path: (string | number)[]) => path.reduce(field, body)
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    at,
    textAt: (...path) => String(at(...path)),
  }
}

function field(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
