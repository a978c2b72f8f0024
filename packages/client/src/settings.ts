/**
 * The base address, without a final slash.
 *
 * @throws TypeError unless the paths of the API can be appended to it.
 */
export function readBaseUrl(given: string | URL): string {
  const text = String(given)
  const fits = /^https?:\/\/[^?#@]+$/i.test(text) && URL.canParse(text)
  const url = fits ? new URL(text).href.replace(/\/+$/, '') : ''
  if (url && !/[^/]\/api(\/svc.*)?$/.test(url)) return url
  // A password in it must not be printed.
  throw new TypeError(`baseUrl is ${text}: expected http(s)://host up to /api`.replace(/\/.*@/, '***'))
}

/** Milliseconds for one attempt, and for the call with all of them. */
export const defaultLimits = { timeoutMs: 60_000, totalTimeoutMs: 300_000 }

/**
 * Numbers that are set, over those that hold otherwise. One that is `undefined` is as if it were not there.
 *
 * @throws TypeError for one that is not above the bound, or no number.
 */
export function readNumbers<Name extends string>(
  given: { readonly [N in NoInfer<Name>]?: number | undefined } | undefined,
  otherwise: Readonly<Record<Name, number>>,
  above = -1,
): Record<Name, number> {
  const numbers: Record<Name, number> = { ...otherwise }
  for (const name in otherwise) {
    numbers[name] = given?.[name] ?? otherwise[name]
    if (!(numbers[name] > above)) throw new TypeError(`${name} ${numbers[name]}: expected above ${above}`)
  }
  return numbers
}
