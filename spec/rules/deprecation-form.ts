import { asNode, isNode } from './read/json.ts'
import { everyOperation, type Rule } from './read/rule.ts'
import { isCalendarDate } from './read/words.ts'

export const rule: Rule = {
  id: 'deprecation-form',
  message:
    'a deprecated operation must have x-deprecation with a valid date. A sunset must be a later valid date, with the same value in x-sunset. Other operations must have neither.',
  why: "Headers, notices and the client's warnings are generated from these fields.",
  scope: 'ours',
  given: everyOperation,
  function(operation, { path }) {
    const { deprecated, 'x-deprecation': deprecation, 'x-sunset': repeated } = asNode(operation)
    if (!isNode(deprecation)) {
      if (deprecated === true) return [{ message: 'deprecated is true, but x-deprecation is missing', path }]
      return repeated === undefined
        ? []
        : [{ message: 'x-sunset is set, but x-deprecation is missing', path }]
    }
    const { date, sunset } = deprecation
    const faults = [
      ...(deprecated === true ? [] : ['x-deprecation is set, but deprecated is not true']),
      ...(isCalendarDate(date) ? [] : [`the date ${date ?? '(missing)'} is not a calendar date`]),
      ...(sunset === undefined || isCalendarDate(sunset)
        ? []
        : [`the sunset ${sunset} is not a calendar date`]),
      ...(isCalendarDate(sunset) && isCalendarDate(date) && sunset <= date
        ? [`the sunset ${sunset} is not after ${date}`]
        : []),
      ...(repeated === sunset
        ? []
        : [`x-sunset is ${repeated ?? 'missing'}, but the sunset is ${sunset ?? 'missing'}`]),
    ]
    return faults.map((message) => ({ message, path: [...path, 'x-deprecation'] }))
  },
}
