import type { Response } from '../document/document.ts'
import { inspect, type Json, valueAt } from '../document/json.ts'
import { type SchemaError, strongest } from '../document/validator.ts'
import { missingErrorCode, missingField, notJson } from '../model/difference.ts'
import { isApiResponse, isError, type Judge, type JudgedExchange, type Opinion } from './judge.ts'
import { spelling } from './spelling.ts'

/**
 * Returns the definition of an error response. All error responses have the same definition, including those
 * with undeclared statuses.
 */
const errorResponse = ({ cell, effectiveStatus }: JudgedExchange): Response | undefined =>
  cell.definition.responses.get(effectiveStatus) ?? cell.definition.responses.get(401)

const opinionOf = (body: Json, schemaErrors: readonly SchemaError[]): Opinion => {
  const worst = strongest(schemaErrors)
  if (worst === undefined) return 'passed'
  const expected = `${worst.at === '' ? 'the body' : worst.at} ${worst.message}`
  const actual = inspect(valueAt(body, worst.at))
  const name = worst.keyword === 'required' ? /'(.+)'$/.exec(worst.message)?.[1] : undefined
  return {
    expected,
    actual,
    ...(worst.strength && { strength: worst.strength }),
    ...(name !== undefined && { difference: missingField(name) }),
  }
}

const fits = (
  judged: JudgedExchange,
  response: Response | undefined,
  concerns: (schemaError: SchemaError) => boolean = () => true,
): Opinion => {
  const [place] = response?.content.values() ?? []
  if (place === undefined) return 'not applicable'
  if (judged.body === undefined) {
    // A separate requirement reports an envelope whose content can't be found.
    if (judged.enveloped !== undefined) return 'not applicable'
    const text = judged.exchange.response.body
    return {
      expected: 'a JSON body',
      actual: text === '' ? 'no body' : `a body that is not JSON: ${inspect(text, 60)}`,
      difference: isError(judged) ? missingErrorCode : notJson,
    }
  }
  return opinionOf(
    judged.body,
    judged.cell.version.validator.check(place.pointer, judged.body).filter(concerns),
  )
}

const isMissing = ({ keyword }: SchemaError): boolean => keyword === 'required'

const successFits = (judged: JudgedExchange, concerns: (schemaError: SchemaError) => boolean): Opinion => {
  if (isError(judged) || !isApiResponse(judged) || judged.call.offRoute) return 'not applicable'
  return fits(judged, judged.cell.definition.responses.get(judged.cell.row.success), concerns)
}

/** The body of a successful response matches the schema in the document of the resolved version. */
export const successBody: Judge = {
  requirement: 'errors.body-valid',
  judge(judged) {
    const opinion = successFits(judged, (schemaError) => !isMissing(schemaError))
    return opinion === 'passed' ? spelling(judged) : opinion
  },
}

/** The body of a successful response has all required fields. A separate judge reports bodies that aren't JSON. */
export const completeBody: Judge = {
  requirement: 'errors.body-complete',
  judge: (judged) => (judged.body === undefined ? 'not applicable' : successFits(judged, isMissing)),
}

/** The body of a token response matches its schema. */
export const tokenBody: Judge = {
  requirement: 'issueToken.answers-with-token',
  judge(judged) {
    if (isError(judged) || isApiResponse(judged) || judged.call.offRoute) return 'not applicable'
    return fits(judged, judged.cell.definition.responses.get(judged.cell.row.success))
  },
}

/** The body of an error matches the error schema. */
export const errorBody: Judge = {
  requirement: 'errors.body-fits-schema',
  judge: (judged) =>
    isError(judged) && isApiResponse(judged) ? fits(judged, errorResponse(judged)) : 'not applicable',
}

/** The body of a token endpoint error matches the endpoint's own error schema. */
export const tokenErrorBody: Judge = {
  requirement: 'issueToken.error-shape',
  judge: (judged) =>
    isError(judged) && !isApiResponse(judged) && !judged.call.offRoute
      ? fits(judged, errorResponse(judged))
      : 'not applicable',
}
