import { operationAt, parametersOf } from './read/operations.ts'
import { everyOperation, type Rule } from './read/rule.ts'

/** These operations have `envelope` but not `pretty` (section 4.1 of the specification source). */
const withoutPretty = [
  'deleteExportBucket',
  'getExportBucket',
  'createExportJob',
  'getExportJob',
  'deleteBackupSchedules',
  'getServerlessSnapshot',
  'getMigrationValidation',
  'deleteLinkTokens',
]

export const rule: Rule = {
  id: 'envelope-and-pretty',
  message:
    'every operation must have the parameters envelope and pretty, except the operations that have only envelope according to section 4.1 of the specification source.',
  why: 'The specification source says that every operation accepts both parameters, and lists the operations that have only envelope.',
  scope: 'ours',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation) return []
    const names = new Set(parametersOf(document, operation).map(({ value }) => value.name))
    const wantsPretty = !withoutPretty.includes(operation.id)
    const messages = [
      ...(names.has('envelope') ? [] : ['the parameter envelope is missing']),
      ...(names.has('pretty') === wantsPretty
        ? []
        : [wantsPretty ? 'the parameter pretty is missing' : 'the parameter pretty is not allowed']),
    ]
    return messages.map((message) => ({ message, path }))
  },
}
