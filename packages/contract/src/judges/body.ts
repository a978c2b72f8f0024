import type { Response } from '../document/document.ts'
import { inspect, type Json, valueAt } from '../document/json.ts'
import { gravest, type Misfit } from '../document/validator.ts'
import { isApiResponse, isError, type Judge, type Opinion, type Seen } from './judge.ts'

/** Any declared error tells what errors look like, also for a status that is not declared. */
const errorResponse = ({ cell, toldStatus }: Seen): Response | undefined =>
  cell.definition.responses.get(toldStatus) ?? cell.definition.responses.get(401)

const opinionOf = (body: Json, misfits: readonly Misfit[]): Opinion => {
  const worst = gravest(misfits)
  if (worst === undefined) return 'kept'
  const expected = `${worst.at === '' ? 'the body' : worst.at} ${worst.message}`
  const actual = inspect(valueAt(body, worst.at))
  return { expected, actual, ...(worst.strength && { strength: worst.strength }) }
}

const fits = (
  seen: Seen,
  response: Response | undefined,
  concerns: (misfit: Misfit) => boolean = () => true,
): Opinion => {
  const [place] = response?.content.values() ?? []
  if (place === undefined) return 'nothing'
  if (seen.body === undefined) {
    const text = seen.exchange.response.body
    return {
      expected: 'a JSON body',
      actual: text === '' ? 'no body' : `a body that is no JSON: ${inspect(text, 60)}`,
    }
  }
  return opinionOf(seen.body, seen.cell.version.validator.check(place.pointer, seen.body).filter(concerns))
}

const isMissing = ({ keyword }: Misfit): boolean => keyword === 'required'

const successFits = (seen: Seen, concerns: (misfit: Misfit) => boolean): Opinion => {
  if (isError(seen) || !isApiResponse(seen) || seen.call.offRoute) return 'nothing'
  return fits(seen, seen.cell.definition.responses.get(seen.cell.row.success), concerns)
}

/** What the body of a success has fits the schema in the document of the resolved version. */
export const successBody: Judge = {
  requirement: 'errors.body-valid',
  judge: (seen) => successFits(seen, (misfit) => !isMissing(misfit)),
}

/** And it has all that the schema requires. A body that is no JSON lacks nothing in particular. */
export const completeBody: Judge = {
  requirement: 'errors.body-complete',
  judge: (seen) => (seen.body === undefined ? 'nothing' : successFits(seen, isMissing)),
}

/** The body of a token fits its schema. */
export const tokenBody: Judge = {
  requirement: 'issueToken.answers-with-token',
  judge(seen) {
    if (isError(seen) || isApiResponse(seen) || seen.call.offRoute) return 'nothing'
    return fits(seen, seen.cell.definition.responses.get(seen.cell.row.success))
  },
}

/** The body of an error fits the schema of errors. */
export const errorBody: Judge = {
  requirement: 'errors.body-fits-schema',
  judge: (seen) => (isError(seen) && isApiResponse(seen) ? fits(seen, errorResponse(seen)) : 'nothing'),
}

/** Errors of the token endpoint have a shape of their own. */
export const tokenErrorBody: Judge = {
  requirement: 'issueToken.error-shape',
  judge: (seen) =>
    isError(seen) && !isApiResponse(seen) && !seen.call.offRoute
      ? fits(seen, errorResponse(seen))
      : 'nothing',
}
