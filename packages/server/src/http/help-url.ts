import type { BaseUrl } from './base-url.ts'
import type { Call } from './call.ts'

/** Returns the URL of the page about an error code, or undefined if the server has no documentation. */
export type HelpUrl = (call: Call, code: string) => string | undefined

/** The pages can be served by this server or by another host. */
export function createHelpUrl(
  { docs, docsUrl }: { readonly docs: string; readonly docsUrl: string },
  baseUrl: BaseUrl,
): HelpUrl {
  if (docsUrl !== '') return (_, code) => `${docsUrl}/errors/${code}`
  if (docs !== '') return ({ request }, code) => `${baseUrl(request.headers.host)}/errors/${code}`
  return () => undefined
}
