import { type Compilable, DummyDriver, Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseDialect, SqlValue } from './dialects/dialect.ts'
import type { Tables } from './schema.ts'

/** The values of a statement, keyed by name. */
export type Values = Readonly<Record<string, SqlValue>>

/** Returns the placeholder for a named value in a statement. */
export type Slots<P extends Values> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>

/** The query builder for a dialect. */
export interface Builder extends Kysely<Tables> {}

/** The definition of a statement, which is compiled once per dialect and can run with different values. */
export interface StatementSpec<P extends Values, R> {
  readonly build: (db: Builder, slot: Slots<P>, dialect: DatabaseDialect) => Compilable<R>
  readonly compiled: Map<string, CompiledStatement>
}

export interface CompiledStatement {
  readonly sql: string
  /** For each placeholder, either the name of its value or a constant. */
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
 * Defines a statement. Statements are compiled in advance, because building a statement with Kysely takes four times as
 * long as running it in SQLite.
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

/** Returns all statements in the loaded modules, for the query plan test. */
export function declaredStatements(dialect: DatabaseDialect): CompiledStatement[] {
  return declared.map((compiledFor) => compiledFor(dialect))
}

/**
 * Defines a statement that rarely runs or that intentionally reads a whole table. The query plan test skips such
 * statements.
 */
export function unplanned<P extends Values, R>(build: StatementSpec<P, R>['build']): StatementSpec<P, R> {
  return { build, compiled: new Map() }
}

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

/** Returns whether an SQL statement only reads data. */
export const isRead = (sql: string): boolean => sql.startsWith('select')

/** Returns the values in the order of their placeholders. */
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
  throw new TypeError(`A value of type ${typeof value} cannot be bound to a statement`)
}

const builders = new Map<string, Builder>()

/** Returns a query builder that can compile statements for a dialect, but can't run them. */
export function builderFor(dialect: DatabaseDialect): Builder {
  const known = builders.get(dialect.name)
  if (known) return known
  const builder = new Kysely<Tables>({
    dialect: {
      createAdapter: () => dialect.adapter,
      createDriver: () => new DummyDriver(),
      createQueryCompiler: () => dialect.compiler,
      createIntrospector: () => {
        throw new Error('Introspection is not supported, because the migrations define the schema')
      },
    },
  })
  builders.set(dialect.name, builder)
  return builder
}
