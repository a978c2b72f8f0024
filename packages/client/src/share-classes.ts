import { ApiError, ClientError, NetworkError, ParseError, TimeoutError } from './errors.ts'
import { statusClasses } from './status-errors.ts'
import { WaitError } from './wait-for.ts'

/** A symbol that is the same in every loaded copy of this package, such as the ES module and the CommonJS module. */
const mark = Symbol.for('@svc-admin/client')

const isOrdinaryInstance = Function.prototype[Symbol.hasInstance]

/** The part of an error class that this module needs. */
interface ErrorClass {
  readonly prototype: object
}

/**
 * Makes `instanceof` accept errors from another copy of this package if their class has the same name.
 * Subclasses in applications inherit this behavior.
 */
function shareClass(name: string, Class: ErrorClass): void {
  Object.defineProperty(Class.prototype, mark, { value: name })
  const isInstance = function (this: unknown, value: unknown): boolean {
    return isOrdinaryInstance.call(this as never, value) || (this === Class && namesOf(value).includes(name))
  }
  Object.defineProperty(Class, Symbol.hasInstance, { value: isInstance })
}

/** Returns the names of an error's classes that belong to this package. */
function namesOf(value: unknown): unknown[] {
  const names: unknown[] = []
  let each: unknown = value instanceof Error ? value : null
  for (; each; each = Object.getPrototypeOf(each)) names.push(Reflect.get(each as object, mark))
  return names
}

/**
 * Makes `instanceof` work between all loaded copies of this package. The module calls `shareClasses` when it is loaded.
 * However, bundlers drop the module unless something is imported from it, because `package.json` declares no side
 * effects. Dropping the module keeps bundles small.
 */
export function shareClasses(): void {
  const all = { ...statusClasses(), ApiError, ClientError, NetworkError, ParseError, TimeoutError, WaitError }
  for (const [name, Class] of Object.entries<ErrorClass>(all)) {
    if (!Object.hasOwn(Class, Symbol.hasInstance)) shareClass(name, Class)
  }
}

shareClasses()
