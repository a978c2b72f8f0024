import { limits } from '@svc-admin/types'
import { withGenerated } from '../../check/generated.ts'
import { always, both, forEach, onApi, rules, withBody } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { editedJson, editedText } from '../../document/arbitrary.ts'
import { contrast } from '../../document/contrast.ts'
import type { SchemaLocation } from '../../document/document.ts'
import {
  inspect,
  isObject,
  type Json,
  listAt,
  objectAt,
  parseJson,
  sameJson,
  valueAt,
  withValue,
} from '../../document/json.ts'
import { type Mutation, type Mutations, mutationsOf } from '../../document/mutations.ts'
import { outlineOf } from '../../document/outline.ts'
import { flatten, isInOtherCase } from '../../document/probes.ts'
import { weakest } from '../../document/strength.ts'
import { bodyOnTarget, boundByMoreThanSchema } from '../../given/given.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Cell, schemaErrorOf, schemaErrorsOf, successSchemaOf, withoutIgnored } from '../../model/api.ts'
import {
  bodyOf,
  describeResponse,
  expectAt,
  expectError,
  expectRefusal,
  expectServed,
  expectThat,
  isSuccess,
} from '../../model/expect.ts'
import { NotApplicable, Violation } from '../../model/signals.ts'
import { expectBound } from '../../resources/bounds.ts'
import { uppercaseInBody } from '../../resources/letter-case.ts'
import { type ReadOnlyField, readOnlyFieldsOf } from '../../resources/read-only-fields.ts'
import { otherThanSent, shownValues } from '../../resources/stored.ts'

const inBody = { at: both(onApi, withBody), phase: 'read' } as const

const worked = new WeakMap<Cell['definition'], Mutations>()

/**
 * Returns the mutations of the documented examples. The mutations are generated only once, because mutating long lists
 * takes time.
 */
const allMutations = ({ definition, version }: Cell): Mutations => {
  const known = worked.get(definition)
  if (known) return known
  const { body } = definition
  const made: Mutations =
    body === undefined
      ? () => []
      : mutationsOf(version.document, version.validator, body.schema, body.examples)
  worked.set(definition, made)
  return made
}

/** Returns the mutations of one kind. `isWanted` can select mutations by their strength. */
const mutations = (kind: Mutation['kind'], valid: boolean, isWanted = (_: Mutation): boolean => true) =>
  function* (cell: Cell): Iterable<Mutation> {
    const all = allMutations(cell)((mutation) => mutation.kind === kind && mutation.valid === valid)
    for (const mutation of all) if (isWanted(mutation)) yield mutation
  }

const label = ({ label }: Mutation): string => label

/** Returns a mutated body with the names of resources on the target. */
const changedTo = ({ context, cell }: Trial, body: Json) => ({ body: bodyOnTarget(context, cell, body) })

/** Returns whether a constraint is our decision or unspecified. */
const isOurs = ({ strength }: Mutation): boolean => strength === 'decided' || strength === 'open'

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
  // The error itself comes from the specification, but the format of `parameters` is our decision.
  expectThat(parameters.includes(mutation.at), {
    expected,
    actual: JSON.stringify(parameters),
    exchange,
    strength: 'decided',
  })
}

/** Returns the body with the next value, if the mutation is a number at its bound. */
const nextFrom = (body: Json, at: string, label: string): Json | undefined => {
  const [, side] = / (minimum|maximum)$/.exec(label) ?? []
  const value = valueAt(body, at)
  return side === undefined || typeof value !== 'number'
    ? undefined
    : withValue(body, at.split('/').slice(1), value + (side === 'minimum' ? 1 : -1))
}

/** Returns whether the response differs from the request only in fields that the specification doesn't show. */
const differsOnlyInside = ({ cell }: Trial, body: Json, at: string, response: Json | undefined): boolean => {
  const { document } = cell.version
  const outline = (place: SchemaLocation | undefined, value: Json): Json =>
    outlineOf(document, place?.pointer ?? '', value)
  const sent = outline(cell.definition.body?.schema, body)
  return otherThanSent(cell, sent, at, outline(successSchemaOf(cell), response ?? null)) === undefined
}

const acceptAndStore = async (trial: Trial, { body, at, label, strength }: Mutation): Promise<void> => {
  const change = changedTo(trial, body)
  const exchange = await trial.try(change)
  const next = nextFrom(change.body, at, label)
  const what = `a success for ${label}`
  if (next === undefined) expectServed(exchange, what, strength)
  else await expectBound(exchange, what, { at, strength, sendNext: () => trial.try({ body: next }) })
  if (!trial.cell.row.hasContent) return
  const others = otherThanSent(trial.cell, change.body, at, bodyOf(exchange))
  if (others === undefined) return
  const shown = contrast(others[0], valueAt(change.body, at))
  const expected = `${at} as sent, ${shown.expected}`
  const isInner = differsOnlyInside(trial, change.body, at, bodyOf(exchange))
  const actualStrength = isInner ? weakest(strength, 'decided') : strength
  throw new Violation({ ...shown, expected, exchange, ...(actualStrength && { strength: actualStrength }) })
}

/** Returns the valid mutation whose value differs from an invalid enum value only in letter case. */
const listedValueOf = (cell: Cell, { at, body }: Mutation): Mutation | undefined => {
  const text = String(valueAt(body, at)).toLowerCase()
  const isListed = (one: Pick<Mutation, 'at' | 'body' | 'valid'>): boolean =>
    one.valid && one.at === at && String(valueAt(one.body, at)).toLowerCase() === text
  const [listed] = allMutations(cell)(isListed)
  return listed && !isOurs(listed) ? listed : undefined
}

/**
 * Sends an enum value in another letter case. The server may reject the value, but must not accept and ignore it. If the
 * response lacks the field, the response to the listed value shows whether it should have the field.
 */
const sameInOtherCase = async (trial: Trial, mutation: Mutation): Promise<void> => {
  const listed = listedValueOf(trial.cell, mutation)
  if (listed === undefined) throw new NotApplicable('the specification source lists no such value')
  const { at } = mutation
  const change = changedTo(trial, mutation.body)
  const exchange = await trial.try(change)
  if (!isSuccess(exchange) || !trial.cell.row.hasContent) return
  const sent = String(valueAt(change.body, at)).toLowerCase()
  const valuesIn = (response: Exchange) => shownValues(trial.cell, change.body, at, bodyOf(response))
  const isAsSent = (value: Json): boolean => String(value).toLowerCase() === sent
  const shown = valuesIn(exchange)
  if (shown.some(isAsSent)) return
  if (shown.length === 0) {
    const control = await trial.try(changedTo(trial, listed.body))
    if (!isSuccess(control) || !valuesIn(control).some(isAsSent)) return
  }
  throw new Violation({
    expected: `a rejection, or the same ${at} as for the listed value`,
    actual: shown.length === 0 ? `no ${at}` : inspect(shown[0]),
    exchange,
  })
}

const notJson = ['{', '{"a":}', '[1,', 'null null', "{'a':1}", 'NaN', '{"a":1}x', '\u0000'] as const

const refuseText = async (trial: Trial, rawBody: string): Promise<void> =>
  expectError(await trial.try({ rawBody }), 'INVALID_JSON', 'the body is not JSON')

const goodBody = async (trial: Trial): Promise<Json> => (await trial.good()).body ?? {}

/** Returns a valid JSON body of the given size, so that the server can reject it only because of its size. */
const bodyOfBytes = (body: Json | undefined, bytes: number): string => {
  const text = JSON.stringify(body ?? {})
  return text + ' '.repeat(bytes - Buffer.byteLength(text))
}

const sendReadOnly = async (trial: Trial, { name, values }: ReadOnlyField): Promise<void> => {
  const good = await goodBody(trial)
  const [value] = values()
  const exchange = await trial.try({ body: isObject(good) ? { ...good, [name]: value } : good })
  expectServed(exchange, `a success, because ${name} is read-only and ignored`)
}

const withReadOnly =
  (least: number) =>
  (cell: Cell): true | string =>
    readOnlyFieldsOf(cell).length >= least || `the resource has fewer than ${least} read-only fields`

/** Returns the optional fields that the valid body omits and that don't allow `null`. */
const optionalFields = (cell: Cell): string[] => {
  const { body } = cell.definition
  if (body === undefined) return []
  const schema = flatten(cell.version.document, body.schema)
  const example = body.examples[0] ?? {}
  return Object.keys(objectAt(schema, 'properties')).filter((name) => {
    const absent = isObject(example) && example[name] === undefined
    return absent && sameJson(withoutIgnored(cell, { [name]: null }), {})
  })
}

export default rules({
  'bodies.constraints-enforced': [
    forEach(
      mutations('constraint', false, (mutation) => !isOurs(mutation)),
      label,
      refuse,
      inBody,
    ),
    forEach(
      (cell) => allMutations(cell)((mutation) => mutation.kind === 'constraint' && isInOtherCase(mutation)),
      ({ label }) => `${label} has an effect`,
      sameInOtherCase,
      { at: both(onApi, withBody) },
    ),
    uppercaseInBody,
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

  'bodies.decided-bounds': forEach(mutations('constraint', false, isOurs), label, refuse, inBody),

  'bodies.bounds-accepted': [
    forEach(
      (cell) =>
        allMutations(cell)(
          ({ kind, valid, at }) =>
            kind === 'constraint' && valid && !boundByMoreThanSchema.has(`${cell.operation.id}${at}`),
        ),
      label,
      acceptAndStore,
      { at: both(onApi, withBody) },
    ),
    always(
      async (trial) => {
        const { body } = await trial.good()
        const exchange = await trial.try({ rawBody: bodyOfBytes(body, limits.body.bytes) })
        // The specification doesn't define a maximum size, so accepting this body is our decision.
        expectServed(exchange, 'a success for a body of the maximum size', 'decided')
      },
      { at: both(onApi, withBody), label: 'largest body' },
    ),
  ],

  'bodies.required-members': forEach(mutations('missing', false), label, refuseAndName, inBody),

  'bodies.unknown-member-refused': forEach(mutations('unknown', false), label, refuseAndName, inBody),

  'bodies.read-only-ignored': [
    forEach(readOnlyFieldsOf, ({ name }) => name, sendReadOnly, { at: both(onApi, withReadOnly(1)) }),
    always(
      async (trial) => {
        const good = await goodBody(trial)
        const fields = Object.fromEntries(
          readOnlyFieldsOf(trial.cell).map(({ name, values }) => [name, values()[0]]),
        )
        const body = isObject(good) ? { ...fields, ...good } : good
        expectServed(await trial.try({ body }), 'a success, because read-only fields are ignored')
      },
      { at: both(onApi, withReadOnly(2)), label: 'all fields' },
    ),
  ],

  'bodies.null-is-absent': forEach(
    optionalFields,
    (name) => name,
    async (trial, name) => {
      const good = await goodBody(trial)
      const body = isObject(good) && good[name] === undefined ? { ...good, [name]: null } : good
      expectServed(
        await trial.try({ body }),
        `a success, because null has the same effect as omitting ${name}`,
      )
    },
    { at: both(onApi, (cell) => optionalFields(cell).length > 0 || 'the body has no optional field') },
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
