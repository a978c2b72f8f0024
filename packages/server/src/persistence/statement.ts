import { type Compilable, DummyDriver, Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseDialect, SqlValue } from './dialects/dialect.ts'
import type { Tables } from './schema.ts'

/** Values of a statement, by name. */
export type Values = Readonly<Record<string, SqlValue>>

/** Marks the place of a named value while a statement is built. */
export type Slots<P extends Values> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>

/** What a statement is built with: the query builder of the dialect at hand. */
export interface Builder extends Kysely<Tables> {}

/** A statement as written: built and compiled once for each dialect, run with other values each time. */
export interface StatementSpec<P extends Values, R> {
  readonly build: (db: Builder, slot: Slots<P>, dialect: DatabaseDialect) => Compilable<R>
  readonly compiled: Map<string, CompiledStatement>
}

export interface CompiledStatement {
  readonly sql: string
  /** For each place in turn: the name of its value, or a constant. */
  readonly places: readonly (Slot | SqlValue)[]
}

class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const slot = <T>(name: string): RawBuilder<T> => sql<T>`${new Slot(name)}`

/**
 * Declares a statement. Kysely builds four times slower than SQLite answers, so nothing is built per request.
 *
 * @example
 * ```ts
 * const byName = statement((db, $: Slots<{ name: string }>) =>
 *   db.selectFrom('settings').select('value').where('name', '=', $('name')),
 * )
 * ```
 */
export function statement<P extends Values, R>(
  build: (db: Builder, slot: Slots<P>, dialect: DatabaseDialect) => Compilable<R>,
): StatementSpec<P, R> {
  const spec = { build, compiled: new Map<string, CompiledStatement>() }
  declared.push((dialect) => compile(spec, dialect))
  return spec
}

const declared: ((dialect: DatabaseDialect) => CompiledStatement)[] = []

/** Every statement declared by the modules loaded so far, for the test that looks at how each is planned. */
export function declaredStatements(dialect: DatabaseDialect): CompiledStatement[] {
  return declared.map((compiledFor) => compiledFor(dialect))
}

/** Declares a statement whose plan nobody looks at, since it is meant to read a table as a whole, or runs seldom. */
export function unplanned<P extends Values, R>(build: StatementSpec<P, R>['build']): StatementSpec<P, R> {
  return { build, compiled: new Map() }
}

/** The statement in the dialect's words. */
export function compile<P extends Values, R>(
  spec: StatementSpec<P, R>,
  dialect: DatabaseDialect,
): CompiledStatement {
  const known = spec.compiled.get(dialect.name)
  if (known) return known
  const query = spec.build(builderFor(dialect), slot, dialect).compile()
  const compiled = { sql: query.sql, places: query.parameters.map(toPlace) }
  spec.compiled.set(dialect.name, compiled)
  return compiled
}

/** Whether a statement changes nothing. */
export const isRead = (sql: string): boolean => sql.startsWith('select')

/** The values in the order of the statement's places. */
export function bind(compiled: CompiledStatement, values: Values): SqlValue[] {
  return compiled.places.map((place) => {
    if (!(place instanceof Slot)) return place
    const value = values[place.name]
    if (value === undefined) throw new RangeError(`No value for '${place.name}'`)
    return value
  })
}

function toPlace(value: unknown): Slot | SqlValue {
  if (value instanceof Slot || value === null) return value
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new TypeError(`A ${typeof value} cannot be bound`)
}

const builders = new Map<string, Builder>()

/** A query builder that compiles for the dialect and runs nothing. */
export function builderFor(dialect: DatabaseDialect): Builder {
  const known = builders.get(dialect.name)
  if (known) return known
  const builder = new Kysely<Tables>({
    dialect: {
      createAdapter: () => dialect.adapter,
      createDriver: () => new DummyDriver(),
      createQueryCompiler: () => dialect.compiler,
      createIntrospector: () => {
        throw new Error('The schema is known from the migrations')
      },
    },
  })
  builders.set(dialect.name, builder)
  return builder
}
