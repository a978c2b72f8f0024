import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Checkout, comment, type FileChange, Refusal, yamlText } from './change.ts'
import { requireSource } from './source.ts'

export const strengths = ['stated', 'decided', 'open'] as const
export type Strength = (typeof strengths)[number]

export interface RequirementResponses {
  /** `operationId.what-is-promised`. */
  readonly id: string
  readonly text: string
  readonly strength: Strength
  readonly source: string
}

const folder = 'spec/requirements'
const idForm = /^([a-z][A-Za-z0-9]*)\.([a-z0-9]+(-[a-z0-9]+)*)$/

/**
 * A row of the ledger, and the case that tries it.
 *
 * @throws {Refusal} if the id is taken or has another form, no requirement file is of its operation, or its source is
 *   none.
 */
export function planRequirement(checkout: Checkout, responses: RequirementResponses): FileChange[] {
  const operation = idForm.exec(responses.id)?.[1]
  if (operation === undefined)
    throw new Refusal(`${responses.id} is no id: operationId.what-is-promised was expected`)
  if (released(checkout).has(responses.id))
    throw new Refusal(`${responses.id} was given before, and an id is never used again`)
  const file = fileOf(checkout, operation)
  if (file === undefined) throw new Refusal(`no file of ${folder} has operations: [ ${operation} ]`)
  requireSource(responses)
  return [
    {
      path: file.path,
      text: `${checkout.read(file.path).trimEnd()}\n${rowText(responses)}`,
      isNew: false,
      next: 'say with `covers` which fields, limits, states and errors it is about',
    },
    planCase(checkout, file.area, operation, responses),
  ]
}

/** A row as text. */
export const rowText = ({ id, strength, text, source }: RequirementResponses): string =>
  [
    `  - id: ${id}`,
    `    strength: ${strength}`,
    `    text: ${yamlText(text)}`,
    `    source: [ ${yamlText(source)} ]`,
    '',
  ].join('\n')

const released = (checkout: Checkout): ReadonlySet<string> => {
  const ids = checkout.read('spec/ledger/ids.txt').split('\n')
  const rows = requirementFiles(checkout).flatMap(({ rows }) => rows)
  return new Set([...ids, ...rows.map(({ id }) => id)])
}

interface RequirementFile {
  readonly path: string
  readonly area: string
  readonly operations: readonly string[]
  readonly rows: readonly { readonly id: string }[]
}

const requirementFiles = (checkout: Checkout): readonly RequirementFile[] =>
  readdirSync(join(checkout.root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(checkout.root, folder, name)).map((file) => {
        const path = `${folder}/${name}/${file}`
        const { operations = [], rows = [] } = parse(checkout.read(path))
        return { path, area: name, operations, rows }
      }),
    )

const fileOf = (checkout: Checkout, operation: string): RequirementFile | undefined =>
  requirementFiles(checkout).find((file) => file.operations.length === 1 && file.operations[0] === operation)

const planCase = (
  checkout: Checkout,
  area: string,
  operation: string,
  responses: RequirementResponses,
): FileChange => {
  const path = `packages/contract/src/cases/${area}/${operation}.ts`
  const next = 'write the case: until then its verdict is KIT ERROR'
  if (!checkout.has(path)) return { path, text: caseFile([unwrittenCase(responses)]), isNew: true, next }
  const text = withAlways(checkout.read(path))
  const end = text.lastIndexOf('})')
  return {
    path,
    text: `${text.slice(0, end)}\n${unwrittenCase(responses)}${text.slice(end)}`,
    isNew: false,
    next,
  }
}

const ruleModule = '../../engine/rule.ts'

/** The file of cases, with `always` among its imports; of their names it is the first in the alphabet. */
const withAlways = (file: string): string =>
  file.replace(/^import \{([^}]*)\} from '([^']+)'$/gm, (line, list: string, from) => {
    const names = list.split(',').map((name) => name.trim())
    return from !== ruleModule || names.includes('always')
      ? line
      : `import { ${['always', ...names.filter((name) => name !== '')].join(', ')} } from '${ruleModule}'`
  })

/** A case whose verdict is KIT ERROR until it is written. */
export const unwrittenCase = ({ id, text }: Pick<RequirementResponses, 'id' | 'text'>): string =>
  `  ${comment(text)}
  '${id}': always(async () => {
    throw new Error('The case of ${id} is not written yet')
  }),
`

/** A file of cases. */
export const caseFile = (cases: readonly string[]): string => `import { always, rules } from '${ruleModule}'

export default rules({
${cases.join('\n')}})
`
