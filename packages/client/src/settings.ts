/**
 * The base address, without a final slash. `/api` may be the end of it, as behind a gateway; the first segments of the
 * paths that are appended may not.
 *
 * @throws TypeError unless the paths of the API can be appended to it.
 */
export function readBaseUrl(given: string | URL): string {
  const text = String(given)
  if (/^https?:\/\/[^?#@]+$/i.test(text) && URL.canParse(text)) {
    const url = new URL(text).href.replace(/\/+$/, '')
    if (!/[^/]\/api\/(svc|oauth)(\/v\d|\/token|$)/.test(url)) return url
  }
  // A password in it must not be printed.
  throw new TypeError(`baseUrl is ${text}: expected http(s)://host before /api/svc`.replace(/\/.*@/s, '***'))
}

/** Milliseconds for one attempt, and for the call with all of them. */
export const defaultLimits = { timeoutMs: 60_000, totalTimeoutMs: 300_000 }

/**
 * Numbers that are set, over those that hold otherwise. One that is `undefined` is as if it were not there.
 *
 * @throws TypeError for one that is below 0 or no number, and for 0 where the bound is above it.
 */
export function readNumbers<Name extends string>(
  given: { readonly [N in NoInfer<Name>]?: number | undefined } | undefined,
  otherwise: Readonly<Record<Name, number>>,
  bound: '>' | '>=' = '>=',
): Record<Name, number> {
  const numbers = {} as Record<Name, number>
  for (const name in otherwise) {
    const { [name]: value = otherwise[name] }: { [name: string]: number } = Object(given)
    // Only a number, and none below 0, is its own absolute value: a text, `null` and NaN are not.
    if (value !== Math.abs(value) || (!value && bound === '>')) {
      throw new TypeError(`${name} is ${value}: expected a number ${bound} 0`)
    }
    numbers[name] = value
  }
  return numbers
}
