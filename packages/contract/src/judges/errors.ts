import { STATUS_CODES } from 'node:http'
import { errorCodes, tokenErrors } from '@svc-admin/types'
import { inspect, numberAt, stringAt } from '../document/json.ts'
import { isApiResponse, isError, type Judge, type Seen } from './judge.ts'

interface CatalogueRow {
  readonly status: number
}

const catalogue: ReadonlyMap<string, CatalogueRow> = new Map(Object.entries(errorCodes))
const tokenCatalogue: ReadonlyMap<string, CatalogueRow & { readonly alsoStatus?: number }> = new Map(
  Object.entries(tokenErrors),
)

const isApiError = (seen: Seen): boolean => isError(seen) && isApiResponse(seen) && seen.body !== undefined

/** `error` is the HTTP status. */
export const errorIsStatus: Judge = {
  requirement: 'errors.error-is-status',
  judge(seen) {
    if (!isApiError(seen)) return 'nothing'
    const error = numberAt(seen.body, 'error')
    if (error === seen.toldStatus) return 'kept'
    return { expected: `error ${seen.toldStatus}`, actual: `error ${error ?? 'missing'}` }
  },
}

/** `errorCode` is one of the catalogue, under the status that the catalogue gives it. */
export const errorCodeInCatalogue: Judge = {
  requirement: 'errors.code-in-catalogue',
  judge(seen) {
    if (!isApiError(seen)) return 'nothing'
    const code = stringAt(seen.body, 'errorCode')
    const row = code === undefined ? undefined : catalogue.get(code)
    if (row?.status === seen.toldStatus) return 'kept'
    const expected = [...catalogue]
      .filter(([, { status }]) => status === seen.toldStatus)
      .map(([name]) => name)
    return {
      expected: `an errorCode of status ${seen.toldStatus} (${expected.join(', ')})`,
      actual: code ?? 'none',
    }
  },
}

/** Phrases that RFC 9110 §15.5 has anew; those of older specifications are as good. */
const newPhrases: Readonly<Record<number, string>> = {
  413: 'Content Too Large',
  422: 'Unprocessable Content',
}

/** `reason` is the reason phrase of the HTTP status. */
export const reasonOfStatus: Judge = {
  requirement: 'errors.reason-is-phrase',
  judge(seen) {
    if (!isApiError(seen)) return 'nothing'
    const reason = stringAt(seen.body, 'reason')
    const phrase = STATUS_CODES[seen.toldStatus]
    const fits = [phrase, newPhrases[seen.toldStatus]].some((one) => one !== undefined && one === reason)
    if (fits || phrase === undefined) return 'kept'
    return { expected: `reason ${inspect(phrase)}`, actual: inspect(reason) }
  },
}

const tokenStatuses: ReadonlySet<number | undefined> = new Set(
  [...tokenCatalogue.values()].flatMap(({ status, alsoStatus }) => [status, alsoStatus]),
)

/** Errors of the token endpoint have their own names, each under its status: which one that is, was decided. */
export const tokenErrorInCatalogue: Judge = {
  requirement: 'issueToken.error-in-catalogue',
  judge(seen) {
    if (!isError(seen) || isApiResponse(seen) || seen.call.offRoute) return 'nothing'
    const error = stringAt(seen.body, 'error')
    const row = error === undefined ? undefined : tokenCatalogue.get(error)
    if (row?.status === seen.toldStatus || row?.alsoStatus === seen.toldStatus) return 'kept'
    return {
      expected: `an error of the token endpoint with status ${seen.toldStatus}`,
      actual: inspect(error),
      strength: row !== undefined && tokenStatuses.has(seen.toldStatus) ? 'decided' : 'stated',
    }
  },
}

/** No answer gives a secret away: passwords, client secrets, tokens. */
export const noSecret: Judge = {
  requirement: 'errors.no-secret',
  judge({ exchange, secrets, call }) {
    const { headers, body } = exchange.response
    const issues = call.cell.operation.security === 'client-credentials' && exchange.response.status < 300
    const text = issues ? '' : [body, ...headers.map(([, value]) => value)].join('\n')
    if (secrets.within(text).length === 0) return 'kept'
    return { expected: 'no secret in the answer', actual: secrets.maskText(inspect(body, 200)) }
  },
}
