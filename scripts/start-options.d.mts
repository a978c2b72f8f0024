export const serverProgram: { readonly command: string; readonly built: string; readonly options: string }
export function splitFlags(args: readonly string[]): string[]
export function namesSet(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  means: { readonly root: string; readonly variableOf: (name: string) => string },
): { readonly has: (name: string) => boolean }
export function whereDataStays(database: string): string
