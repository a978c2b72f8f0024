// Types for the parts of the Postman and Bruno libraries that tests use. The libraries have no types of their own.
declare module 'postman-collection' {
  interface Named {
    get(name: string): string | undefined
    has(name: string): boolean
  }
  export interface Item {
    readonly name: string
    readonly request: {
      readonly method: string
      readonly url: {
        getPath(options?: { unresolved: boolean }): string
        getQueryString(options?: { ignoreDisabled: boolean }): string
        readonly query: Named
      }
      readonly headers: Named
      readonly body?: { readonly raw?: string; readonly urlencoded?: Named }
    }
    getAuth(): { readonly type: string } | undefined
  }
  export class Collection {
    constructor(definition: unknown)
    readonly auth?: { readonly type: string }
    forEachItem(visit: (item: Item) => void): void
  }
}
declare module '@usebruno/lang' {
  export function bruToJsonV2(text: string): {
    readonly meta: { readonly name: string }
    readonly http: { readonly url: string; readonly body: string }
    readonly headers: readonly { readonly name: string }[]
    readonly body: { readonly json: string }
  }
  export function collectionBruToJson(text: string): unknown
  export function bruToEnvJsonV2(text: string): { readonly variables: unknown }
}
