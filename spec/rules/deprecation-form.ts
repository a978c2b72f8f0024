import { asNode, isNode } from './read/json.ts'
import { everyOperation, type Rule } from './read/rule.ts'
import { isCalendarDate } from './read/words.ts'

export const rule: Rule = {
  id: 'deprecation-form',
  message:
    'a deprecated operation must have x-deprecation with a valid date. If it has a sunset, the sunset must be a later date, and x-sunset must contain the same date. Other operations must have neither x-deprecation nor x-sunset.',
  why: "Response headers, notices in the documentation and the client's warnings are generated from these fields.",
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
        ? [`the sunset ${sunset} is not later than the deprecation date ${date}`]
        : []),
      ...(repeated === sunset
        ? []
        : [`x-sunset is ${repeated ?? 'missing'}, but the sunset is ${sunset ?? 'missing'}`]),
    ]
    return faults.map((message) => ({ message, path: [...path, 'x-deprecation'] }))
  },
}
