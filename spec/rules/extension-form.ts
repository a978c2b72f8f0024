import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { extensions } from './read/extensions.ts'
import { nodesIn } from './read/nodes.ts'
import { type Finding, type Rule, wholeDocument } from './read/rule.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
addFormats.default(ajv)
const validators = new Map<string, ValidateFunction>(
  Object.entries(extensions).map(([name, schema]) => [name, ajv.compile(schema)]),
)

export const rule: Rule = {
  id: 'extension-form',
  message: `an extension must be one of ${Object.keys(extensions).join(', ')}, with a valid value.`,
  why: 'A misspelled extension has no effect, and no other tool reports the typo.',
  scope: 'ours',
  given: wholeDocument,
  function(document) {
    return nodesIn(document).flatMap(({ value, path }) =>
      Object.keys(value)
        // The keys of `headers` are header names, which can also start with `X-`.
        .filter((name) => name.startsWith('x-') && path.at(-1) !== 'headers')
        .flatMap((name): Finding[] => {
          const fault = faultOf(name, value[name])
          return fault ? [{ message: fault, path: [...path, name] }] : []
        }),
    )
  },
}

function faultOf(name: string, value: unknown): string | undefined {
  const validate = validators.get(name)
  if (!validate) return `unknown extension ${name}`
  if (validate(value)) return undefined
  return validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`.trim()).join('; ')
}
