import { datesOf } from './read/dates.ts'
import { operationAt, operationsIn } from './read/operations.ts'
import { everyOperation, type Rule, type RuleContext } from './read/rule.ts'

export const rule: Rule = {
  id: 'version-order',
  message:
    'the request and response of an operation must have one date, which must not be later than the date of the document. Earlier documents must not have a later date.',
  why: "A document with operations of a later date would describe features that its version doesn't have.",
  scope: 'ours',
  given: everyOperation,
  function(_, context) {
    const { document, path, version } = context
    const operation = operationAt(document, path)
    if (!operation || version?.generation !== 'v2') return []
    const dates = datesOf(document, operation)
    const faults = [
      ...(dates.length > 1 ? [`the operation has several dates: ${dates.join(', ')}`] : []),
      ...dates
        .filter((date) => date > version.id)
        .map((date) => `${date} is later than the date of the document`),
      ...dates.flatMap((date) => laterElsewhere(operation.id, date, context)),
    ]
    return faults.map((message) => ({ message, path }))
  },
}

function laterElsewhere(id: string, date: string, { documents, version }: RuleContext): string[] {
  const earlier = [...documents].filter(([name]) => /^\d{4}-/.test(name) && name < (version?.id ?? ''))
  return earlier.flatMap(([name, document]) =>
    operationsIn(document)
      .filter((operation) => operation.id === id)
      .flatMap((operation) => datesOf(document, operation))
      .filter((other) => other > date)
      .map((other) => `the earlier document ${name} has the later date ${other}`),
  )
}
