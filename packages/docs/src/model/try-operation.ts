/** One input of the form. */
export interface TryField {
  /** Empty: the whole body. */
  readonly name: string
  readonly required: boolean
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'json'
  readonly values?: readonly string[]
  /** Whether other values are possible. */
  readonly open?: boolean
  readonly about: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly place: 'path' | 'query' | 'body'
  /** The initial value, as text. */
  readonly value?: string
}

/** The form's data for an operation. */
export interface TryOperation {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly method: string
  readonly path: string
  readonly accept: string
  readonly contentType?: string
  readonly basic: boolean
  readonly paged: boolean
  readonly parameters: readonly TryField[]
  readonly body?: readonly TryField[]
}

/** An operation of one version, with the address of its page from the root of the site. */
export interface PagedOperation extends TryOperation {
  readonly page: string
}

/** An operation with the versions in which it is the same. Its media types name the last of them. */
export interface SharedOperation extends TryOperation {
  readonly versions: readonly string[]
}
