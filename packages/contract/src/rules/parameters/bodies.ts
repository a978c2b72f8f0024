import { limits } from '@svc-admin/types'
import { withGenerated } from '../../check/generated.ts'
import { always, both, forEach, onApi, rules, withBody } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { editedJson, editedText } from '../../document/arbitrary.ts'
import { type Json, listAt, parseJson } from '../../document/json.ts'
import { type Mutation, mutationsOf } from '../../document/mutations.ts'
import { type SchemaError, strongest } from '../../document/validator.ts'
import { bodyOnTarget, boundByMoreThanSchema } from '../../given/given.ts'
import type { Cell } from '../../model/api.ts'
import {
  bodyOf,
  describeResponse,
  expectAt,
  expectError,
  expectRefusal,
  expectSuccess,
  expectThat,
} from '../../model/expect.ts'

const inBody = { at: both(onApi, withBody), phase: 'read' } as const

const worked = new WeakMap<Cell['definition'], readonly Mutation[]>()

/** Calculates the mutations of the document's examples once, because long lists take time. */
const allMutations = ({ definition, version }: Cell): readonly Mutation[] => {
  const known = worked.get(definition)
  if (known) return known
  const { body } = definition
  const made =
    body === undefined ? [] : mutationsOf(version.document, version.validator, body.schema, body.examples)
  worked.set(definition, made)
  return made
}

const mutations =
  (wanted: (mutation: Mutation) => boolean) =>
  (cell: Cell): Mutation[] =>
    allMutations(cell).filter(wanted)

const isInvalid = ({ kind, valid }: Mutation): boolean => kind === 'constraint' && !valid

const label = ({ label }: Mutation): string => label

/** A valid body with one mutation. The resources that it names exist. */
const changedTo = ({ context, cell }: Trial, body: Json) => ({ body: bodyOnTarget(context, cell, body) })

/** Constraints that are our decision or documented elsewhere, because the source does not specify them. */
const isOurs = ({ strength }: Mutation): boolean => strength === 'decided' || strength === 'open'

const schemaErrorsOf = ({ version, definition }: Cell, body: Json): readonly SchemaError[] =>
  definition.body ? version.validator.check(definition.body.schema.pointer, body) : []

/** The most severe schema error of a body. */
const schemaErrorOf = (cell: Cell, body: Json): SchemaError | undefined =>
  strongest(schemaErrorsOf(cell, body))

const refuse = async (trial: Trial, { body, at, strength }: Mutation): Promise<void> => {
  const change = changedTo(trial, body)
  const exchange = await trial.try(change)
  expectRefusal(exchange, 'VALIDATION_ERROR', `${at} does not match its schema`, strength)
  expectAt(exchange, [at, ...schemaErrorsOf(trial.cell, change.body).map((schemaError) => schemaError.at)])
}

const refuseAndName = async (trial: Trial, mutation: Mutation): Promise<void> => {
  const exchange = await trial.try(changedTo(trial, mutation.body))
  expectRefusal(exchange, 'VALIDATION_ERROR', `${mutation.label}`, mutation.strength)
  const parameters = listAt(bodyOf(exchange), 'parameters')
  const expected = `parameters with ${mutation.at}`
  // The source defines the error; the parameters format is our decision.
  expectThat(parameters.includes(mutation.at), {
    expected,
    actual: JSON.stringify(parameters),
    exchange,
    strength: 'decided',
  })
}

const notJson = ['{', '{"a":}', '[1,', 'null null', "{'a':1}", 'NaN', '{"a":1}x', '\u0000'] as const

const refuseText = async (trial: Trial, rawBody: string): Promise<void> =>
  expectError(await trial.try({ rawBody }), 'INVALID_JSON', 'the body is not JSON')

const goodBody = async (trial: Trial): Promise<Json> => (await trial.good()).body ?? {}

/** A valid JSON body of a given size, so that only the size is wrong. */
const bodyOfBytes = (body: Json | undefined, bytes: number): string => {
  const text = JSON.stringify(body ?? {})
  return text + ' '.repeat(bytes - Buffer.byteLength(text))
}

export default rules({
  'bodies.constraints-enforced': [
    forEach(
      mutations((mutation) => isInvalid(mutation) && !isOurs(mutation)),
      label,
      refuse,
      inBody,
    ),
    withGenerated(
      async (generate, trial) =>
        editedJson(generate, await goodBody(trial)).filter(
          (body) => schemaErrorOf(trial.cell, body) !== undefined,
        ),
      async (trial, body) => {
        const schemaError = schemaErrorOf(trial.cell, body)
        const why = `${schemaError?.at || 'the body'} ${schemaError?.message}`
        const exchange = await trial.try({ rawBody: JSON.stringify(body) })
        expectRefusal(exchange, 'VALIDATION_ERROR', why, schemaError?.strength)
      },
      inBody,
    ),
  ],

  'bodies.decided-bounds': forEach(
    mutations((mutation) => isInvalid(mutation) && isOurs(mutation)),
    label,
    refuse,
    inBody,
  ),

  'bodies.bounds-accepted': [
    forEach(
      (cell) =>
        mutations(({ kind, valid }) => kind === 'constraint' && valid)(cell).filter(
          ({ at }) => !boundByMoreThanSchema.has(`${cell.operation.id}${at}`),
        ),
      label,
      async (trial, { body, label, strength }) => {
        const exchange = await trial.try(changedTo(trial, body))
        expectThat(exchange.response.status < 300, {
          expected: `a success for ${label}`,
          actual: describeResponse(exchange),
          exchange,
          ...(strength && { strength }),
        })
      },
      { at: both(onApi, withBody) },
    ),
    always(
      async (trial) => {
        const { body } = await trial.good()
        const exchange = await trial.try({ rawBody: bodyOfBytes(body, limits.body.bytes) })
        // The source does not specify the maximum body size.
        expectSuccess(exchange, 'a success for a body of the maximum size', 'decided')
      },
      { at: both(onApi, withBody), label: 'a body of the largest size' },
    ),
  ],

  'bodies.required-members': forEach(
    mutations(({ kind }) => kind === 'missing'),
    label,
    refuseAndName,
    {
      ...inBody,
      at: both(
        inBody.at,
        (cell) =>
          mutations(({ kind }) => kind === 'missing')(cell).length > 0 || 'the body has no required field',
      ),
    },
  ),

  'bodies.unknown-member-refused': forEach(
    mutations(({ kind }) => kind === 'unknown'),
    label,
    refuseAndName,
    inBody,
  ),

  'bodies.invalid-json': [
    forEach(
      () => notJson,
      (text) => JSON.stringify(text),
      refuseText,
      inBody,
    ),
    withGenerated(
      async (generate, trial) =>
        editedText(generate, JSON.stringify(await goodBody(trial))).filter(
          (text) => text.trim() !== '' && parseJson(text) === undefined,
        ),
      refuseText,
      inBody,
    ),
  ],

  'bodies.empty-refused': forEach(
    () => ['empty', 'absent', 'blank'] as const,
    (kind) => kind,
    async (trial, kind) => {
      const rawBody = { empty: '', absent: null, blank: ' \n' }[kind]
      const exchange = await trial.try({ rawBody, contentType: trial.cell.row.requestMediaType ?? null })
      const { status } = exchange.response
      expectThat(status === 400, {
        expected: 'status 400, because the body is missing',
        actual: describeResponse(exchange),
        exchange,
      })
    },
    inBody,
  ),

  'bodies.too-large': always(async (trial) => {
    const { body } = await trial.good()
    const exchange = await trial.try({ rawBody: bodyOfBytes(body, limits.body.bytes + 1) })
    expectError(exchange, 'PAYLOAD_TOO_LARGE', 'the body is one byte above the limit')
  }, inBody),
})
