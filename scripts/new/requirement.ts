import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Checkout, type FileChange, InputError, yamlText } from './change.ts'
import { requireSource } from './source.ts'
import type { Strength } from './strength.ts'

export interface NewRequirement {
  /** The ID, in the format `operationId.name-of-the-requirement`. */
  readonly id: string
  readonly text: string
  readonly strength: Strength
  readonly source: string
}

const folder = 'spec/requirements'
const idForm = /^([a-z][A-Za-z0-9]*)\.([a-z0-9]+(-[a-z0-9]+)*)$/

/**
 * Plans a row in the ledger and a case that tests the requirement.
 *
 * @throws {InputError} if the ID is invalid or already in use, if the operation has no requirement file, or if the
 * source is invalid.
 */
export function planRequirement(checkout: Checkout, responses: NewRequirement): FileChange[] {
  const operation = idForm.exec(responses.id)?.[1]
  if (operation === undefined)
    throw new InputError(`${responses.id} is not a valid ID: expected operationId.requirement-name`)
  const files = requirementFiles(checkout)
  if (released(checkout, files).has(responses.id))
    throw new InputError(`${responses.id} was used before, and IDs are never reused`)
  const file = files.find(({ operations }) => operations.length === 1 && operations[0] === operation)
  if (file === undefined) throw new InputError(`no file in ${folder} has operations: [ ${operation} ]`)
  requireSource(responses)
  return [
    {
      path: file.path,
      text: `${checkout.read(file.path).trimEnd()}\n${rowText(responses)}`,
      isNew: false,
      next: 'in `covers`, list the fields, limits, states and errors that the requirement covers',
    },
    planCase(checkout, file.area, operation, responses),
  ]
}

export const rowText = ({ id, strength, text, source }: NewRequirement): string =>
  [
    `  - id: ${id}`,
    `    strength: ${strength}`,
    `    text: ${yamlText(text)}`,
    `    source: [ ${yamlText(source)} ]`,
    '',
  ].join('\n')

const released = (checkout: Checkout, files: readonly RequirementFile[]): ReadonlySet<string> => {
  const ids = checkout.read('spec/ledger/ids.txt').split('\n')
  return new Set([...ids, ...files.flatMap(({ rows }) => rows.map(({ id }) => id))])
}

interface Requirements {
  readonly operations?: readonly string[]
  readonly rows?: readonly { readonly id: string }[]
}

interface RequirementFile extends Required<Requirements> {
  readonly path: string
  readonly area: string
}

/** Parsed files, keyed by their text. The files are cached because planning a change reads each file several times. */
const parsed = new Map<string, Requirements>()

function requirementsIn(text: string): Requirements {
  const requirements: Requirements = parsed.get(text) ?? parse(text)
  parsed.set(text, requirements)
  return requirements
}

const requirementFiles = (checkout: Checkout): readonly RequirementFile[] =>
  readdirSync(join(checkout.root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(checkout.root, folder, name)).map((file) => {
        const path = `${folder}/${name}/${file}`
        const { operations = [], rows = [] } = requirementsIn(checkout.read(path))
        return { path, area: name, operations, rows }
      }),
    )

const planCase = (
  checkout: Checkout,
  area: string,
  operation: string,
  { id }: NewRequirement,
): FileChange => {
  const path = `packages/contract/src/cases/${area}/${operation}.ts`
  const next = 'write the case; until you do, its verdict is KIT ERROR'
  if (!checkout.has(path)) return { path, text: caseFile([unwrittenCase(id)]), isNew: true, next }
  const text = withAlways(checkout.read(path))
  const end = text.lastIndexOf('})')
  return {
    path,
    text: `${text.slice(0, end)}\n${unwrittenCase(id)}${text.slice(end)}`,
    isNew: false,
    next,
  }
}

const ruleModule = '../../check/rule.ts'

/** Adds `always` to the imports in a case file. `always` comes first because the names are in alphabetical order. */
const withAlways = (file: string): string =>
  file.replace(/^import \{([^}]*)\} from '([^']+)'$/gm, (line, list: string, from) => {
    const names = list.split(',').map((name) => name.trim())
    return from !== ruleModule || names.includes('always')
      ? line
      : `import { ${['always', ...names.filter((name) => name !== '')].join(', ')} } from '${ruleModule}'`
  })

/** Returns a placeholder for a case. The placeholder's verdict is KIT ERROR until you write the actual case. */
export const unwrittenCase = (id: string): string =>
  `  '${id}': always(async () => {
    throw new Error('Write the case for ${id}')
  }),
`

export const caseFile = (cases: readonly string[]): string => `import { always, rules } from '${ruleModule}'

export default rules({
${cases.join('\n')}})
`
