import type { BaseUrl } from './base-url.ts'
import type { Call } from './call.ts'

/** Returns the URL of an error code's help page, or undefined if the server doesn't have documentation. */
export type HelpUrl = (call: Call, code: string) => string | undefined

/** Returns a function that builds the URLs of help pages. The help pages can be on this server or on another host. */
export function createHelpUrl(
  { docs, docsUrl }: { readonly docs: string; readonly docsUrl: string },
  baseUrl: BaseUrl,
): HelpUrl {
  if (docsUrl !== '') return (_, code) => `${docsUrl}/errors/${code}`
  if (docs !== '') return ({ request }, code) => `${baseUrl(request.headers.host)}/errors/${code}`
  return () => undefined
}
