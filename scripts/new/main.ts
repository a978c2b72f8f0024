// `npm run new`: lays out the files that the change table names, and says what is left to write in each.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Checkout, type FileChange, Refusal } from './change.ts'
import { planDate } from './date.ts'
import { planOperation } from './operation.ts'
import { planRequirement, type Strength, strengths } from './requirement.ts'

const usage = `npm run new -- date YYYY-MM-DD
npm run new -- requirement <operationId.promise> --text "…" --source "4.7" [--strength stated]
npm run new -- operation <operationId> --method get --path "/groups/{groupId}/…" --area "Alerts" --summary "…"
        --source "4.7" [--schema Name] [--role PROJECT_READ_ONLY] [--since YYYY-MM-DD] [--strength stated]
  --dry-run  names the files and writes none
  --help     prints this`

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

const needed = (flags: Flags, name: string): string => {
  const value = flags[name]
  if (typeof value !== 'string' || value === '') throw new Refusal(`--${name} is missing\n${usage}`)
  return value
}

const strengthOf = (flags: Flags): Strength => {
  const strength = strengths.find((one) => one === flags.strength)
  if (strength === undefined)
    throw new Refusal(`--strength ${flags.strength}: one of ${strengths.join(', ')} was expected`)
  return strength
}

const optional = <K extends string>(flags: Flags, name: K): { readonly [N in K]?: string } => {
  const value = flags[name]
  return typeof value === 'string' ? ({ [name]: value } as { readonly [N in K]?: string }) : {}
}

const kinds = ['date', 'requirement', 'operation'] as const

function plan(checkout: Checkout, [given, id, ...more]: readonly string[], flags: Flags): FileChange[] {
  if (given === undefined) throw new Refusal(usage)
  const kind = kinds.find((one) => one === given)
  if (kind === undefined)
    throw new Refusal(`${given} is not known: one of ${kinds.join(', ')} was expected\n${usage}`)
  if (id === undefined) throw new Refusal(`${kind}: what the new one is called is missing\n${usage}`)
  if (more.length > 0) throw new Refusal(`${more.join(' ')}: nothing was expected after ${id}\n${usage}`)
  if (kind === 'date') return planDate(checkout, id)
  const common = { id, strength: strengthOf(flags), source: needed(flags, 'source') }
  if (kind === 'requirement') return planRequirement(checkout, { ...common, text: needed(flags, 'text') })
  return planOperation(checkout, {
    ...common,
    method: needed(flags, 'method'),
    path: needed(flags, 'path'),
    area: needed(flags, 'area'),
    summary: needed(flags, 'summary'),
    role: needed(flags, 'role'),
    ...optional(flags, 'schema'),
    ...optional(flags, 'since'),
  })
}

function parsed() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}

function layOut(checkout: Checkout, changes: readonly FileChange[], isDryRun: boolean): void {
  checkout.requireFree(changes)
  for (const { path, isNew, next } of changes)
    console.log(`${isNew ? 'A' : 'M'} ${path}${next === undefined ? '' : `\n    ${next}`}`)
  if (isDryRun) {
    console.log('Nothing was written.')
    return
  }
  checkout.write(changes)
  console.log('\nThen: npm run build, npm run lint, npm run ledger -w spec -- --record, npm test')
}

try {
  const { values, positionals } = parsed()
  const checkout = new Checkout(join(import.meta.dirname, '../..'))
  if (values.help) console.log(usage)
  else layOut(checkout, plan(checkout, positionals, values), values['dry-run'])
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 2
}
