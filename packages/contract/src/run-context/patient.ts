import type { RawRequest } from '../http/exchange.ts'
import { createPatience } from '../http/patience.ts'
import { isSlow, type NoResponse, type Transport, withoutResponse } from '../http/transport.ts'
import type { Api } from '../model/api.ts'
import { Untestable } from '../model/signals.ts'

/**
 * Returns a function that names the operation that a request calls. If there is no such operation, the name consists
 * only of the method.
 */
const namerOf = ({ cells }: Api): ((request: RawRequest) => string) => {
  const routes = new Map<string, { readonly method: string; readonly path: RegExp; readonly name: string }>()
  for (const { operation, version } of cells) {
    const path = (operation.absolute ? '' : version.prefix) + operation.path
    const pattern = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
    const { method, id } = operation
    routes.set(`${method} ${path}`, { method, path: new RegExp(`^${pattern}$`), name: id })
  }
  return (request) => {
    const [path = ''] = request.path.split('?')
    const route = [...routes.values()].find((one) => one.method === request.method && one.path.test(path))
    return route?.name ?? `${request.method} requests to other paths`
  }
}

/** Returns the missing prerequisite for checks whose request isn't sent. */
export const silentReason = (what: string, count: number): string =>
  `a response from ${what}: ${count} requests in a row timed out`

/**
 * Creates a transport that no longer sends requests to operations that always time out. Otherwise, hundreds
 * of checks would wait for the timeout.
 *
 * @throws Untestable from `send` for requests to operations that always time out.
 */
export const patient = (transport: Transport, api: Api): Transport => {
  const patience = createPatience()
  const nameOf = namerOf(api)
  return {
    ...transport,
    async send(request, recreate) {
      const name = nameOf(request)
      const count = patience.exhausted(name)
      if (count !== undefined) throw new Untestable(silentReason(name, count))
      const exchange = await transport.send(request, recreate).catch((error: NoResponse | Error) => {
        patience.note(name, !isSlow(error))
        throw error
      })
      const failure = withoutResponse(exchange)
      const isTimely = failure === undefined || !isSlow(failure)
      // A 401 doesn't show whether the operation responds, because servers can reject a request before they call the
      // operation.
      if (!isTimely || exchange.response.status !== 401) patience.note(name, isTimely)
      return exchange
    },
  }
}
