import { withGenerated } from '../../check/generated.ts'
import { forEach, onApi, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { type Arbitrary, anyText, editedText, type Generate } from '../../document/arbitrary.ts'
import type { Parameter } from '../../document/document.ts'
import { type Json, listAt } from '../../document/json.ts'
import { flatten, type Probe, pastBound, probesOf } from '../../document/probes.ts'
import { type Strength, weakest } from '../../document/strength.ts'
import { type Cell, fits, strengthOf } from '../../model/api.ts'
import type { Query } from '../../model/call.ts'
import { bodyOf, expectRefusal, expectServed, expectThat } from '../../model/expect.ts'

interface ParameterProbe {
  readonly parameter: Parameter
  readonly label: string
  readonly value: string
  /** The strength of the tested constraint, if it is weaker than the requirement. */
  readonly strength?: Strength | undefined
}

/** All query values are strings. Therefore, a value of the wrong type is a string that isn't a number or boolean. */
const textProbes: Readonly<Record<string, readonly string[]>> = {
  integer: ['ten', '1.5', '1e3', '0x10', '', ' 7', '99999999999999999999999'],
  number: ['ten', ''],
  boolean: ['TRUE', '1', 'yes', ''],
  string: [],
}

const isPlain = ({ value }: Probe): boolean => typeof value === 'string' || typeof value === 'number'

const schemaProbes = (cell: Cell, parameter: Parameter): Probe[] =>
  probesOf(flatten(cell.version.document, parameter.schema), parameter.example).filter(
    ({ label, ...probe }) => isPlain({ label, ...probe }) && !label.startsWith('type '),
  )

const queryOf = ({ definition }: Cell): Parameter[] =>
  definition.parameters.filter((one) => one.in === 'query')

/**
 * Matches integers that all parsers interpret in the same way. Parsers disagree about `+7`, `07` and `1e3`,
 * for example.
 */
const plainInteger = /^(0|-?[1-9]\d*)$/

/**
 * Returns the strength of the requirement to reject a string. Accepting only true and false as booleans is our
 * decision. For integers, rejecting empty values, spaces, other bases and exponents is our decision.
 */
const strengthOfText = (cell: Cell, parameter: Parameter, text: string): Strength | undefined => {
  if (parameter.schema.value.type === 'boolean') return 'decided'
  if (plainInteger.test(text)) return strengthOf(cell, parameter, Number(text))
  return Number.isInteger(Number(text)) ? 'decided' : undefined
}

const choicesOf = (cell: Cell, { schema }: Parameter): string[] =>
  listAt(flatten(cell.version.document, schema), 'enum').filter((value) => typeof value === 'string')

/**
 * Returns the strength of the requirement to accept or reject an enum value. The specification doesn't define whether
 * the letter case of enum values matters.
 */
const strengthOfValue = (cell: Cell, parameter: Parameter, value: Json): Strength | undefined => {
  const folded = String(value).toLowerCase()
  const isListed = choicesOf(cell, parameter).some((choice) => choice.toLowerCase() === folded)
  return isListed ? 'decided' : strengthOf(cell, parameter, value)
}

const badProbes = (cell: Cell): ParameterProbe[] =>
  queryOf(cell).flatMap((parameter) => {
    const type = parameter.schema.value.type
    const texts = typeof type === 'string' ? (textProbes[type] ?? []) : []
    const wrong = texts.map((value) => ({
      parameter,
      label: `${parameter.name} ${JSON.stringify(value)}`,
      value,
      strength: strengthOfText(cell, parameter, value),
    }))
    const past = schemaProbes(cell, parameter)
      .filter(({ valid, value }) => !valid && !fits(cell, parameter, value))
      .map(({ label, value }) => ({
        parameter,
        label: `${parameter.name} ${label}`,
        value: String(value),
        strength: strengthOfValue(cell, parameter, value),
      }))
    return [...wrong, ...past]
  })

/** Returns the strength of a bound. The value at the bound and the value just past it have the same strength. */
const strengthAtBound = (
  cell: Cell,
  parameter: Parameter,
  { label, strength }: Probe,
): Strength | undefined => {
  const past = schemaProbes(cell, parameter).find((probe) => probe.label === pastBound(label))
  return weakest(strength, past && strengthOf(cell, parameter, past.value))
}

const goodProbes = (cell: Cell): ParameterProbe[] =>
  queryOf(cell).flatMap((parameter) => {
    const own = parameter.example === undefined ? [] : [{ label: 'example', value: parameter.example }]
    const flags = parameter.schema.value.type === 'boolean' ? [true, false] : []
    const probes = [
      ...own,
      ...flags.map((value) => ({ label: String(value), value })),
      ...schemaProbes(cell, parameter)
        .filter(({ valid }) => valid)
        .map((probe) => ({ ...probe, strength: strengthAtBound(cell, parameter, probe) })),
    ]
    return probes
      .filter(({ value }) => fits(cell, parameter, value))
      .map(({ label, value, ...rest }) => ({
        ...rest,
        parameter,
        label: `${parameter.name} ${label}`,
        value: String(value),
      }))
  })

const nearInteger = /^[\s+\-.\deE]*$/

/** Returns whether all parsers would reject the string. */
const fitsNowise = (cell: Cell, parameter: Parameter, text: string): boolean => {
  const { type } = parameter.schema.value
  if (type === 'boolean') return !['true', 'false'].includes(text)
  if (type !== 'integer') return type === 'string' && !fits(cell, parameter, text)
  return plainInteger.test(text) ? !fits(cell, parameter, Number(text)) : !nearInteger.test(text)
}

const invalidTexts = (generate: Generate, cell: Cell): Arbitrary<ParameterProbe> =>
  generate
    .constantFrom(...queryOf(cell))
    .chain((parameter) => {
      const good = String(parameter.example ?? parameter.schema.value.default ?? '')
      const texts = generate.oneof(
        editedText(generate, good),
        generate.bigInt().map(String),
        anyText(generate),
      )
      return texts.map((value) => ({ parameter, label: parameter.name, value }))
    })
    .filter(({ parameter, value }) => fitsNowise(cell, parameter, value))
    .map((probe) => {
      const { parameter, value } = probe
      const isText = parameter.schema.value.type === 'string'
      return { ...probe, strength: (isText ? strengthOfValue : strengthOfText)(cell, parameter, value) }
    })

/** Maps each parameter to the parameter that must be sent with it. */
const partners: Readonly<Record<string, string>> = { start: 'end', end: 'start' }

const withPartner = ({ parameter, value }: ParameterProbe): Query => {
  const partner = partners[parameter.name]
  return partner === undefined
    ? [[parameter.name, value]]
    : [
        [parameter.name, value],
        [partner, value],
      ]
}

const unique = (probes: readonly ParameterProbe[]): ParameterProbe[] => [
  ...new Map(probes.map((probe) => [probe.label, probe])).values(),
]

const refuse = async (trial: Trial, { parameter, value, strength }: ParameterProbe): Promise<void> => {
  const exchange = await trial.try({ query: [[parameter.name, value]] })
  expectRefusal(exchange, 'VALIDATION_ERROR', `${parameter.name} does not match its schema`, strength)
}

export default rules({
  'parameters.unknown-refused': forEach(
    () => ['noSuchParameter', 'Envelope', 'page_num'] as const,
    (name) => name,
    async (trial, name) => {
      const exchange = await trial.try({ query: [[name, '1']] })
      expectRefusal(exchange, 'VALIDATION_ERROR', `the operation has no parameter ${name}`)
      const parameters = listAt(bodyOf(exchange), 'parameters')
      const actual = JSON.stringify(parameters)
      expectThat(parameters.includes(name), { expected: `parameters with ${name}`, actual, exchange })
    },
    { at: onApi, phase: 'read' },
  ),

  'parameters.constraints-enforced': [
    forEach(
      (cell) => unique(badProbes(cell)),
      ({ label }) => label,
      refuse,
      { at: onApi, phase: 'read' },
    ),
    withGenerated((generate, { cell }) => invalidTexts(generate, cell), refuse, { at: onApi, phase: 'read' }),
  ],

  'parameters.bounds-accepted': forEach(
    (cell) => unique(goodProbes(cell)),
    ({ label }) => label,
    async (trial, probe) => {
      const exchange = await trial.try({ query: withPartner(probe) })
      expectServed(exchange, `a success for ${probe.label}`, probe.strength)
    },
    { at: onApi },
  ),
})
