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
  --dry-run  names the files and writes none`

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

function plan(
  checkout: Checkout,
  kind: string | undefined,
  id: string | undefined,
  flags: Flags,
): FileChange[] {
  if (kind === undefined || id === undefined) throw new Refusal(usage)
  if (kind === 'date') return planDate(checkout, id)
  const common = { id, strength: strengthOf(flags), source: needed(flags, 'source') }
  if (kind === 'requirement') return planRequirement(checkout, { ...common, text: needed(flags, 'text') })
  if (kind !== 'operation') throw new Refusal(`${kind} is not known\n${usage}`)
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

try {
  const { values, positionals } = parsed()
  const checkout = new Checkout(join(import.meta.dirname, '../..'))
  const changes = plan(checkout, positionals[0], positionals[1], values)
  for (const { path, next } of changes)
    console.log(`${checkout.has(path) ? 'M' : 'A'} ${path}${next === undefined ? '' : `\n    ${next}`}`)
  if (values['dry-run']) console.log('Nothing was written.')
  else {
    checkout.write(changes)
    console.log('\nThen: npm run build, npm run lint, npm run ledger -w spec -- --record, npm test')
  }
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 2
}
