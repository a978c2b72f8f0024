/**
 * Creates the files for a change (`npm run new`), and prints what to write in each of them. A table in ARCHITECTURE.md
 * lists the kinds of changes and their files.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Checkout, type FileChange, InputError } from './change.ts'
import { planDate } from './date.ts'
import { planOperation } from './operation.ts'
import { planRequirement } from './requirement.ts'
import { type Strength, strengths } from './strength.ts'

const usage = `npm run new -- date YYYY-MM-DD
npm run new -- requirement <operationId.requirement-name> --text "…" --source "4.7" [--strength stated]
npm run new -- operation <operationId> --method get --path "/groups/{groupId}/…" --area "Alerts" --summary "…"
        --source "4.7" [--schema Name] [--role PROJECT_READ_ONLY] [--since YYYY-MM-DD] [--strength stated]
  --dry-run  List the files without writing them
  --help     Print this help`

const options = {
  text: { type: 'string' },
  source: { type: 'string' },
  strength: { type: 'string', default: 'stated' },
  method: { type: 'string' },
  path: { type: 'string' },
  area: { type: 'string' },
  summary: { type: 'string' },
  schema: { type: 'string' },
  role: { type: 'string', default: 'PROJECT_READ_ONLY' },
  since: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  'dry-run': { type: 'boolean', default: false },
} as const

type Flags = Readonly<Record<string, string | boolean | undefined>>

const required = (flags: Flags, name: string): string => {
  const value = flags[name]
  if (typeof value !== 'string' || value === '') throw new InputError(`--${name} is missing\n${usage}`)
  return value
}

const strengthOf = (flags: Flags): Strength => {
  const strength = strengths.find((one) => one === flags.strength)
  if (strength === undefined)
    throw new InputError(`--strength ${flags.strength}: must be one of ${strengths.join(', ')}`)
  return strength
}

const optional = <K extends string>(flags: Flags, name: K): { readonly [N in K]?: string } => {
  const value = flags[name]
  return typeof value === 'string' ? ({ [name]: value } as { readonly [N in K]?: string }) : {}
}

const kinds = ['date', 'requirement', 'operation'] as const

function plan(checkout: Checkout, [kindName, id, ...more]: readonly string[], flags: Flags): FileChange[] {
  if (kindName === undefined) throw new InputError(usage)
  const kind = kinds.find((one) => one === kindName)
  if (kind === undefined)
    throw new InputError(`unknown kind ${kindName}: expected one of ${kinds.join(', ')}\n${usage}`)
  if (id === undefined) throw new InputError(`${kind}: the name is missing\n${usage}`)
  if (more.length > 0) throw new InputError(`unexpected argument after ${id}: ${more.join(' ')}\n${usage}`)
  if (kind === 'date') return planDate(checkout, id)
  const common = { id, strength: strengthOf(flags), source: required(flags, 'source') }
  if (kind === 'requirement') return planRequirement(checkout, { ...common, text: required(flags, 'text') })
  return planOperation(checkout, {
    ...common,
    method: required(flags, 'method'),
    path: required(flags, 'path'),
    area: required(flags, 'area'),
    summary: required(flags, 'summary'),
    role: required(flags, 'role'),
    ...optional(flags, 'schema'),
    ...optional(flags, 'since'),
  })
}

function parsed() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new InputError(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}

function createFiles(checkout: Checkout, changes: readonly FileChange[], isDryRun: boolean): void {
  checkout.requireFree(changes)
  for (const { path, isNew, next } of changes)
    console.log(`${isNew ? 'A' : 'M'} ${path}${next === undefined ? '' : `\n    ${next}`}`)
  if (isDryRun) {
    console.log('Nothing was written.')
    return
  }
  checkout.write(changes)
  console.log('\nNext: npm run build, npm run lint, npm run ledger -w spec -- --record, npm test')
}

try {
  const { values, positionals } = parsed()
  const checkout = new Checkout(join(import.meta.dirname, '../..'))
  if (values.help) console.log(usage)
  else createFiles(checkout, plan(checkout, positionals, values), values['dry-run'])
} catch (error) {
  if (!(error instanceof InputError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
