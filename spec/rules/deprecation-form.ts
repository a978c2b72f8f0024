import { asNode, isNode } from './read/json.ts'
import { everyOperation, type Rule } from './read/rule.ts'
import { isCalendarDate } from './read/words.ts'

export const rule: Rule = {
  id: 'deprecation-form',
  message:
    'a deprecated operation has x-deprecation with a real date, and a sunset, if any, is a later real date that x-sunset repeats; no other operation has either.',
  given: everyOperation,
  function(operation, { path }) {
    const { deprecated, 'x-deprecation': deprecation, 'x-sunset': repeated } = asNode(operation)
    if (!isNode(deprecation)) {
      if (deprecated === true) return [{ message: 'it is deprecated without x-deprecation', path }]
      return repeated === undefined ? [] : [{ message: 'it has x-sunset without x-deprecation', path }]
    }
    const { date, sunset } = deprecation
    const faults = [
      ...(deprecated === true ? [] : ['it has x-deprecation and is not deprecated']),
      ...(isCalendarDate(date) ? [] : [`the date ${date ?? '(missing)'} is no calendar date`]),
      ...(sunset === undefined || isCalendarDate(sunset) ? [] : [`the sunset ${sunset} is no calendar date`]),
      ...(isCalendarDate(sunset) && isCalendarDate(date) && sunset <= date
        ? [`the sunset ${sunset} is not after ${date}`]
        : []),
      ...(repeated === sunset
        ? []
        : [`x-sunset is ${repeated ?? 'missing'} and the sunset ${sunset ?? 'missing'}`]),
    ]
    return faults.map((message) => ({ message, path: [...path, 'x-deprecation'] }))
  },
}
