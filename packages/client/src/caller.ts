import { ClientError } from './errors.ts'
import type { WrapReader } from './operation.ts'

/** Gives an error of a call a stack that starts at the caller. */
export type ShowCaller = (
  error: unknown,
  library: (...args: never) => unknown,
  operationId: string,
) => unknown

/**
 * Returns one of the library's own errors with a stack that starts at the caller of `library`, which must be running.
 * Engines find the caller of an async function only if the functions in between await each other's promises, and each
 * promise has one handler. Other errors keep the stack of the place where they were thrown.
 *
 * @param operationId the operation of the call. Calls that wait for the same token share its error, so an error of another
 * operation is copied. The messages of other own errors start with this name.
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

/** Passing the error as options copies its `cause`, if any. */
function copy(error: ClientError): object {
  return Object.assign(Reflect.construct(Error, [error.message, error], error.constructor), error)
}

/**
 * Shows the caller in errors of loops too. Some engines find the caller of an async function, but not of an async
 * generator, so each step gets an async function around it.
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
