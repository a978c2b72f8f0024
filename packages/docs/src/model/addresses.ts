export const addresses = {
  version: (version: string) => `/${version}/`,
  operation: (version: string, id: string) => `/${version}/operations/${id}/`,
  schema: (version: string, name: string) => `/${version}/schemas/${name}/`,
  /** The page for a version's strings, numbers and other simple types. */
  types: (version: string) => `/${version}/types/`,
  error: (code: string) => `/errors/${code}/`,
  /** The errors that nearly every operation can return. */
  generalErrors: '/errors/#every-operation',
  headers: '/headers/',
  role: (id: string) => `/roles/${id}/`,
  limit: (id: string) => `/limits/#${id}`,
  lifecycle: (id: string) => `/lifecycles/${id}/`,
  requirements: (area: string) => `/requirements/${area}/`,
  changelog: (from: string, to: string) => `/changelog/${from}/${to}/`,
  /** The page for deprecated operations and versions. */
  deprecations: '/changelog/deprecated/',
  feed: '/changelog/feed.xml',
  postman: (version: string) => `/collections/postman-${version}.json`,
  bruno: (version: string) => `/collections/bruno-${version}.zip`,
  guide: (slug: string) => `/guides/${slug}/`,
  workflow: (name: string) => `/workflows/${name}/`,
  control: '/sandbox/',
  implementers: '/implementers/',
  lintRules: '/lint-rules/',
}

export const areaSlug = (area: string): string => area.toLowerCase().replace(/[^a-z0-9]+/g, '-')
