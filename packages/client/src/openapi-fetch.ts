import createOpenapiFetch, { type Client } from 'openapi-fetch'
import type { PathsByVersion } from '#paths'
import { versions } from '#tables/versions'
import { createFetch, type FetchOptions } from './create-fetch.ts'
import { readBaseUrl } from './settings.ts'
import type { VersionRow } from './version.ts'

type OpenapiFetchOptions = NonNullable<Parameters<typeof createOpenapiFetch>[0]>

/** Options for `createOpenapiClient`: the `createFetch` options plus the openapi-fetch serializers. */
export interface OpenapiClientOptions<V extends keyof PathsByVersion>
  extends Omit<FetchOptions, 'version'>,
    Pick<OpenapiFetchOptions, 'querySerializer' | 'bodySerializer' | 'pathSerializer' | 'Request'> {
  readonly version: V
}

/**
 * Creates an openapi-fetch client for one version. The client uses this package's transport, which handles media types,
 * credentials, retries, rate limits and timeouts. All openapi-fetch features work, including `use`, `eject`, `parseAs`,
 * serializers and `request`. Libraries based on openapi-fetch, such as openapi-react-query, also work.
 *
 * @example
 * const client = createOpenapiClient({ baseUrl: 'https://cloud.example.com', credentials, version: '2024-05-30' })
 * const { data, error } = await client.GET('/groups/{groupId}/alerts', {
 *   params: { path: { groupId: '64b7e1c20f3a5d6e7f809101' }, query: { status: 'OPEN' } },
 * })
 * @throws TypeError for options that `createClient` rejects.
 */
export function createOpenapiClient<V extends keyof PathsByVersion>(
  options: OpenapiClientOptions<V>,
): Client<PathsByVersion[V]> {
  const { querySerializer, bodySerializer, pathSerializer, Request, ...settings } = options
  const [prefix] = versions[options.version] as VersionRow
  return createOpenapiFetch<PathsByVersion[V]>({
    baseUrl: readBaseUrl(options.baseUrl) + prefix,
    fetch: createFetch(settings),
    ...(querySerializer && { querySerializer }),
    ...(bodySerializer && { bodySerializer }),
    ...(pathSerializer && { pathSerializer }),
    ...(Request && { Request }),
  })
}

export { createFetch, type FetchOptions } from './create-fetch.ts'
