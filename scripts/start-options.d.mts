export const serverProgram: { readonly command: string; readonly built: string; readonly options: string }
export function splitFlags(args: readonly string[]): string[]
export function namesSet(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  means: { readonly root: string; readonly variableOf: (name: string) => string },
): { readonly has: (name: string) => boolean }
export function whereDataStays(database: string): string
export function listeningOf(
  line: string,
): { readonly url: string; readonly controlUrl?: string; readonly options: object } | undefined
export function ownerOf(demo: object): {
  readonly project: { readonly id: string }
  readonly key: { readonly publicKey: string; readonly privateKey: string }
  readonly account: { readonly clientId: string; readonly clientSecret: string }
}
