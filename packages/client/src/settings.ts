/**
 * Reads the base address without its trailing slash. The address can end with `/api`, for example behind a gateway, but
 * not with any other segments of the API's paths.
 *
 * @throws TypeError if the API's paths can't be appended to the address.
 */
export function readBaseUrl(baseUrl: string | URL): string {
  const text = String(baseUrl)
  if (/^https?:\/\/[^?#@]+$/i.test(text) && URL.canParse(text)) {
    const url = new URL(text).href.replace(/\/+$/, '')
    if (!/[^/]\/api\/(svc|oauth)(\/v\d|\/token|$)/.test(url)) return url
  }
  // The message must not contain a password.
  throw new TypeError(`baseUrl is ${text}: expected http(s)://host without /api/svc`.replace(/\/.*@/s, '***'))
}

/** The timeouts for one attempt and for the whole call, in milliseconds. */
export const defaultLimits = { timeoutMs: 60_000, totalTimeoutMs: 300_000 }

/**
 * Reads numeric options. Options that are `undefined` get their default value.
 *
 * @throws TypeError for values that aren't numbers, for negative numbers, and for 0 if `bound` is `>`.
 */
export function readNumbers<Name extends string>(
  options: { readonly [N in NoInfer<Name>]?: number | undefined } | undefined,
  defaults: Readonly<Record<Name, number>>,
  bound: '>' | '>=' = '>=',
): Record<Name, number> {
  if (!options) return defaults
  const numbers = {} as Record<Name, number>
  for (const name in defaults) {
    const { [name]: value = defaults[name] }: { readonly [N in Name]?: number | undefined } = options
    // This comparison also rejects NaN because comparisons with NaN are always false.
    if (typeof value !== 'number' || !(value >= (bound === '>' ? 1e-9 : 0))) {
      // The message includes the type because the string '5' would otherwise look like a number.
      throw new TypeError(`${name} is the ${typeof value} ${value}: expected a number ${bound} 0`)
    }
    numbers[name] = value
  }
  return numbers
}
