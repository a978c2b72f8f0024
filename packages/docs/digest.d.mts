export const serverFile: string

export function digestOf(paths: readonly string[], words?: readonly (string | undefined)[]): string

export function buildIfChanged<Built extends { readonly unknown: readonly string[] }>(options: {
  /** The folder in which the build writes `site`. */
  readonly out: string
  /** A digest of everything that the build reads. */
  readonly digest: string
  readonly build: () => Built | Promise<Built>
}): Promise<Built | undefined>
