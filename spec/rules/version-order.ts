import { datesOf } from './read/dates.ts'
import { operationAt, operationsIn } from './read/operations.ts'
import { everyOperation, type Rule, type RuleContext } from './read/rule.ts'

export const rule: Rule = {
  id: 'version-order',
  message:
    "an operation's request and answer have one date, which is not later than its document's, and no earlier document has a later one.",
  given: everyOperation,
  function(_, context) {
    const { document, path, version } = context
    const operation = operationAt(document, path)
    if (!operation || version?.generation !== 'v2') return []
    const dates = datesOf(document, operation)
    const faults = [
      ...(dates.length > 1 ? [`it has the dates ${dates.join(' and ')}`] : []),
      ...dates.filter((date) => date > version.id).map((date) => `${date} is later than the document`),
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
      .map((other) => `the document of ${name} already has it at ${other}`),
  )
}
