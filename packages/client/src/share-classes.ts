import { ApiError, ClientError, NetworkError, ParseError, TimeoutError } from './errors.ts'
import { statusClasses } from './status-errors.ts'
import { WaitError } from './wait-for.ts'

/** The same in every copy of this package that a program loads, such as an ES module and a CommonJS module. */
const mark = Symbol.for('@svc-admin/client')

const isOrdinaryInstance = Function.prototype[Symbol.hasInstance]

/** An error class, abstractly. */
interface ErrorClass {
  readonly prototype: object
}

/** Lets `instanceof` accept the errors of the class of that name in another copy of this package. */
function shareClass(name: string, Class: ErrorClass): void {
  Object.defineProperty(Class.prototype, mark, { value: name })
  const isInstance = function (this: unknown, value: unknown): boolean {
    // Subclasses of an application inherit this function.
    return isOrdinaryInstance.call(this as never, value) || (this === Class && namesOf(value).includes(name))
  }
  Object.defineProperty(Class, Symbol.hasInstance, { value: isInstance })
}

/** The names of an error's classes, if they are classes of this package. */
function namesOf(value: unknown): unknown[] {
  const names: unknown[] = []
  let each: unknown = value instanceof Error ? value : null
  for (; each; each = Object.getPrototypeOf(each)) names.push(Reflect.get(each as object, mark))
  return names
}

/**
 * Shares the error classes. Loading this module does it too, without a cost for small bundles: bundlers drop a module that
 * is imported only for what it does, because the package promises to have no such effects.
 */
export function shareClasses(): void {
  const all = { ...statusClasses(), ApiError, ClientError, NetworkError, ParseError, TimeoutError, WaitError }
  for (const [name, Class] of Object.entries<ErrorClass>(all)) {
    if (!Object.hasOwn(Class, Symbol.hasInstance)) shareClass(name, Class)
  }
}

shareClasses()
