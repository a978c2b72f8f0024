import { ClientError } from './errors.ts'
import type { WrapReader } from './operation.ts'

/** Changes an error's stack so that it starts at the function that called the client. */
export type ShowCaller = (
  error: unknown,
  library: (...args: never) => unknown,
  operationId: string,
) => unknown

/**
 * Makes the stack of a library error start at the caller of the function `library`, which must still be running. Errors
 * from other code keep their stack. Engines can find an async function's caller only if every function in between
 * awaits the next function's promise, and each promise has a single handler.
 *
 * @param operationId The ID of the operation that was called. Calls that wait for the same token share an error, so
 *   errors that belong to another operation are copied. The messages of all other library errors start with this ID.
 */
export const showCaller: ShowCaller = (error, library, operationId) => {
  let own = error
  if (error instanceof ClientError) {
    if (error.operationId !== operationId) own = copy(error)
  } else if (!String(Object(error).message).startsWith(`${operationId}: `)) {
    return error
  }
  Error.captureStackTrace?.(own as Error, library)
  return own
}

/** Copies an error. Passing the error as the constructor's options also copies its `cause`. */
function copy(error: ClientError): object {
  return Object.assign(Reflect.construct(Error, [error.message, error], error.constructor), error)
}

/**
 * Like `showCaller`, but for errors from loops over pages or items. Some engines can't find the caller of an async
 * generator, so each step is wrapped in an async function.
 */
export const showCallerOfReader: WrapReader = (read) => (args, options) => {
  const reader = read(args, options)
  if (reader instanceof Promise) return collect(reader)
  const generated = reader.next.bind(reader)
  reader.next = async function next() {
    try {
      return await generated()
    } catch (error) {
      throw showOwn(error, next)
    }
  }
  return reader
}

async function collect(items: Promise<unknown>): Promise<unknown> {
  try {
    return await items
  } catch (error) {
    throw showOwn(error, collect)
  }
}

function showOwn(error: unknown, library: (...args: never) => unknown): unknown {
  return error instanceof ClientError ? showCaller(error, library, error.operationId) : error
}
