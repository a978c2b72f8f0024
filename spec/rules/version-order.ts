import { datesOf } from './read/dates.ts'
import { operationAt, operationsIn } from './read/operations.ts'
import { everyOperation, type Rule, type RuleContext } from './read/rule.ts'

export const rule: Rule = {
  id: 'version-order',
  message:
    "the media types of an operation's request and response must contain the same date. The date must not be later than the document's date, or earlier than the operation's date in documents of earlier versions.",
  why: "If an operation's date is later than the document's date, the document describes features that its version doesn't have.",
  scope: 'ours',
  given: everyOperation,
  function(_, context) {
    const { document, path, version } = context
    const operation = operationAt(document, path)
    if (!operation || version?.generation !== 'v2') return []
    const dates = datesOf(document, operation)
    const faults = [
      ...(dates.length > 1 ? [`the operation has several dates: ${dates.join(', ')}`] : []),
      ...dates.filter((date) => date > version.id).map((date) => `${date} is later than the document's date`),
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
      .map((other) => `the operation has the later date ${other} in the earlier document ${name}`),
  )
}
