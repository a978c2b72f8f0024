export interface TryField {
  /** The field's name. Empty if the field represents the entire request body. */
  readonly name: string
  readonly required: boolean
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'json'
  readonly values?: readonly string[]
  /** Whether the field accepts values that aren't in `values`. */
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

/** An operation in one version, with the address of its page. */
export interface PagedOperation extends TryOperation {
  readonly page: string
}

/** An operation and the versions that share it. The media types come from the last of these versions. */
export interface SharedOperation extends TryOperation {
  readonly versions: readonly string[]
  /** The version that has a page for this operation. Omitted if this is the last version in `versions`. */
  readonly pageIn?: string
}

type Packed<T> = Omit<T, 'parameters' | 'body'> & {
  readonly parameters: readonly number[]
  readonly body?: readonly number[]
}

/**
 * The format of the file that contains all operations. Many operations have the same fields, so operations refer to
 * fields by index.
 */
export interface TryFile {
  readonly fields: readonly TryField[]
  readonly operations: readonly Packed<SharedOperation>[]
}
