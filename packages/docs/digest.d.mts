export const serverFile: string

export function digestOf(paths: readonly string[], words?: readonly (string | undefined)[]): string

export function buildIfChanged<Built extends { readonly unknown: readonly string[] }>(options: {
  /** The folder that will contain `site`. */
  readonly out: string
  /** A hash of all files that the build reads. */
  readonly digest: string
  readonly build: () => Built | Promise<Built>
}): Promise<Built | undefined>
