import { STATUS_CODES } from 'node:http'
import { errorCodes, tokenErrors } from '@svc-admin/types'
import { inspect, isObject, stringAt } from '../document/json.ts'
import { missingErrorCode, missingField } from '../model/difference.ts'
import { isApiResponse, isError, type Judge, type JudgedExchange } from './judge.ts'

interface CatalogueRow {
  readonly status: number
}

const catalogue: ReadonlyMap<string, CatalogueRow> = new Map(Object.entries(errorCodes))
const tokenCatalogue: ReadonlyMap<string, CatalogueRow & { readonly alsoStatus?: number }> = new Map(
  Object.entries(tokenErrors),
)

const isApiError = (judged: JudgedExchange): boolean =>
  isError(judged) && isApiResponse(judged) && judged.body !== undefined

/** An error's `error` field contains the HTTP status. */
export const errorIsStatus: Judge = {
  requirement: 'errors.error-is-status',
  judge(judged) {
    if (!isApiError(judged)) return 'not applicable'
    const error = isObject(judged.body) ? judged.body.error : undefined
    if (error === judged.effectiveStatus) return 'passed'
    return {
      expected: `error ${judged.effectiveStatus}`,
      actual: `error ${error === undefined ? 'missing' : inspect(error)}`,
      ...(error === undefined && { difference: missingField('error') }),
    }
  },
}

/** An error's `errorCode` is in the error catalog, and the status matches the catalog. */
export const errorCodeInCatalogue: Judge = {
  requirement: 'errors.code-in-catalogue',
  judge(judged) {
    if (!isApiError(judged)) return 'not applicable'
    const code = stringAt(judged.body, 'errorCode')
    const row = code === undefined ? undefined : catalogue.get(code)
    if (row?.status === judged.effectiveStatus) return 'passed'
    const expected = [...catalogue]
      .filter(([, { status }]) => status === judged.effectiveStatus)
      .map(([name]) => name)
    return {
      expected: `an errorCode for status ${judged.effectiveStatus} (${expected.join(', ')})`,
      actual: code ?? 'none',
      ...(code === undefined && { difference: missingErrorCode }),
    }
  },
}

/** RFC 9110 §15.5 renamed these reason phrases. The judge accepts both the old and the new phrases. */
const newPhrases: Readonly<Record<number, string>> = {
  413: 'Content Too Large',
  422: 'Unprocessable Content',
}

/** An error's `reason` is the reason phrase of the HTTP status. */
export const reasonOfStatus: Judge = {
  requirement: 'errors.reason-is-phrase',
  judge(judged) {
    if (!isApiError(judged)) return 'not applicable'
    const reason = stringAt(judged.body, 'reason')
    const phrase = STATUS_CODES[judged.effectiveStatus]
    const fits = [phrase, newPhrases[judged.effectiveStatus]].some(
      (one) => one !== undefined && one === reason,
    )
    if (fits || phrase === undefined) return 'passed'
    return {
      expected: `reason ${inspect(phrase)}`,
      actual: inspect(reason),
      ...(reason === undefined && { difference: missingField('reason') }),
    }
  },
}

const tokenStatuses: ReadonlySet<number | undefined> = new Set(
  [...tokenCatalogue.values()].flatMap(({ status, alsoStatus }) => [status, alsoStatus]),
)

/** An error of the token endpoint has one of the endpoint's own codes. The status for each code is our decision. */
export const tokenErrorInCatalogue: Judge = {
  requirement: 'issueToken.error-in-catalogue',
  judge(judged) {
    if (!isError(judged) || isApiResponse(judged) || judged.call.offRoute) return 'not applicable'
    const error = stringAt(judged.body, 'error')
    const row = error === undefined ? undefined : tokenCatalogue.get(error)
    if (row?.status === judged.effectiveStatus || row?.alsoStatus === judged.effectiveStatus) return 'passed'
    return {
      expected: `an error code of the token endpoint for status ${judged.effectiveStatus}`,
      actual: inspect(error),
      strength: row !== undefined && tokenStatuses.has(judged.effectiveStatus) ? 'decided' : 'stated',
    }
  },
}

/** Responses don't contain passwords, client secrets, tokens or other secrets. */
export const noSecret: Judge = {
  requirement: 'errors.no-secret',
  judge({ exchange, secrets, call }) {
    const { headers, body } = exchange.response
    const issues = call.cell.operation.security === 'client-credentials' && exchange.response.status < 300
    const text = issues ? '' : [body, ...headers.map(([, value]) => value)].join('\n')
    if (secrets.within(text).length === 0) return 'passed'
    return { expected: 'no secret in the response', actual: secrets.maskText(inspect(body, 200)) }
  },
}
