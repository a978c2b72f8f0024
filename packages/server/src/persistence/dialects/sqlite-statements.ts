import { type DatedPageText, joinedInSqlite, linkValues, pageTextFrom } from '../page-text.ts'
import type { Statement } from './dialect.ts'
import { createAnchors, statementAfterKey } from './sqlite-anchors.ts'
import { createReadCache, type ReadCache } from './sqlite-cache.ts'
import type { Commits } from './sqlite-commits.ts'
import type { SqliteFile, SqliteStatement, Values } from './sqlite-driver.ts'
import { endingWithFailures } from './sqlite-failures.ts'

/** The prepared statements for a file. Each statement is prepared on first use. */
export interface Statements {
  prepare(sql: string): Statement
  /** Runs a statement without values and without preparing it. */
  run(sql: string): void
}

type Run<T> = (values: Values) => T

/**
 * Creates the statements for a file.
 *
 * @param commits Detects commits by other processes. Omit this parameter if no other process can open the file.
 */
export function createStatements(opened: SqliteFile, commits?: Commits): Statements {
  const known = new Map<string, Statement>()
  const file = endingWithFailures(opened, () => kept.forget())
  const kept = createReadCache(commits ? changesElsewhere(file, commits) : () => false)
  return {
    prepare: (sql) => {
      const before = known.get(sql)
      if (before) return before
      const prepared = remembering(kept, file, sql)
      known.set(sql, prepared)
      return prepared
    },
    run: (sql) => {
      kept.forget()
      file.exec(sql)
    },
  }
}

/**
 * Prepares a statement. Reading only the first row is faster than reading all rows, but changes with a `RETURNING`
 * clause must run to the end.
 */
function prepareOn(file: SqliteFile, sql: string): SqliteStatement {
  const { all, first } = file.prepare(sql)
  return { all, first: sql.startsWith('select') ? first : (values) => all(values)[0] }
}

/** Returns a function that reports whether another connection has committed a change since the last call. */
function changesElsewhere(file: SqliteFile, commits: Commits): () => boolean {
  const versionOf = file.prepareRow('PRAGMA data_version')
  let seen: unknown
  return () => {
    // Checking in this order also detects a commit that occurs between the two checks.
    if (!commits.maybe()) return false
    const [version] = versionOf([]) ?? []
    const changed = version !== seen
    seen = version
    return changed
  }
}

const counting = /^select count\(\*\) as "total" from "(\w+)" where /
const finding = /^select (?:"\w+"(?: as "\w+")?(?:, )?)+ from "(\w+)" where "\w+" = \?(?: and "\w+" = \?)*$/
const counted = 'row_counts'
const countFinding = /^select "total" from "row_counts" /
const paging =
  /^select "id", "document" from "(\w+)" where .* order by "created_at", "id" limit \? offset \?$/
const changing = /^(?:insert into|update|delete from) "(\w+)"/
const adding = /^insert into "\w+" \(([^()]*)\) values \([?, ]*\)$/

/**
 * Adds a cache to a statement that counts rows, finds a row by its key, or reads a page. If the statement changes data,
 * evicts the affected results from the cache.
 */
function remembering(kept: ReadCache, file: SqliteFile, sql: string): Statement {
  const statement = prepareOn(file, sql)
  const [, paged] = paging.exec(sql) ?? []
  if (paged) return { ...statement, pageText: keptPages(kept, paged, anchoredPage(file, sql)) }
  const [, found] = finding.exec(sql) ?? []
  const table = countFinding.test(sql) ? counted : (found ?? counting.exec(sql)?.[1])
  if (table) {
    const reading = { table, sizeOf, read: frozen(statement.first), onSecondRead: found !== undefined }
    return { ...statement, first: kept.cached(reading) }
  }
  if (sql.startsWith('select')) return statement
  return letGo(kept, sql, statement)
}

function letGo(kept: ReadCache, sql: string, statement: SqliteStatement): Statement {
  const [, changed] = changing.exec(sql) ?? []
  const takesBack = sql.startsWith('ROLLBACK')
  const createdAt = adding.exec(sql)?.[1]?.split(', ').indexOf('"created_at"') ?? -1
  const all = (values: Values) => {
    if (changed) {
      const addedAt = values[createdAt]
      kept.forgetTable(changed, typeof addedAt === 'number' ? addedAt : undefined)
      // Triggers also change the row counts.
      kept.forgetTable(counted)
    } else if (takesBack) kept.forget()
    return statement.all(values)
  }
  return { all, first: (values) => all(values)[0] }
}

/** Freezes the row, because callers share cached objects. */
const frozen =
  (read: Run<unknown>): Run<unknown> =>
  (values) =>
    Object.freeze(read(values))

/** Returns the maximum size of a row's texts, in bytes. */
function sizeOf(row: unknown): number {
  let size = 0
  for (const value of Object.values(Object(row))) if (typeof value === 'string') size += 2 * value.length
  return size
}

function keptPages(kept: ReadCache, table: string, read: Run<DatedPageText>): Statement['pageText'] {
  const keeping = kept.cached({
    table,
    read,
    sizeOf: ({ text }) => text.length,
    /**
     * Lists are sorted by creation time. If a new row is newer than the last row of a full page, the page stays the
     * same.
     */
    remainsValid: ({ rows, newest }, createdAt, values) => rows === values.at(-2) && createdAt > newest,
  })
  return (values, link) => keeping([...linkValues(link), ...values])
}

/**
 * Reads a whole page as a single string. Passing individual rows through the driver would take longer than reading the
 * rows.
 */
function joinedPage(file: SqliteFile, sql: string): Run<DatedPageText> {
  const read = file.prepareRow(joinedInSqlite(sql))
  return (values) => pageTextFrom(read(values) ?? [], values)
}

/** The number of rows between two anchors. Pages closer to the start of the list are read without anchors. */
const stride = 1000

/** Reads pages, with anchors for pages deep in a list. */
export function anchoredPage(file: SqliteFile, sql: string, every = stride): Run<DatedPageText> {
  const onward = statementAfterKey(sql)
  const fromBeginning = joinedPage(file, sql)
  if (onward === undefined) return fromBeginning
  const fromAnchor = joinedPage(file, onward)
  const anchors = createAnchors(file, sql, every)
  const links = 2
  return (values) => {
    if (Number(values.at(-1)) < every) return fromBeginning(values)
    return atOnce(file, () => {
      const place = anchors.startOf(values.slice(links))
      if (!place) return fromBeginning(values)
      return fromAnchor([...values.slice(0, -2), ...place.after, values.at(-2) ?? 0, place.offset])
    })
  }
}

/**
 * Runs several reads that all see the same state of the file. Without a transaction, another process could change the
 * file between two reads.
 */
function atOnce<T>(file: SqliteFile, look: () => T): T {
  if (file.inTransaction) return look()
  file.exec('BEGIN')
  try {
    return look()
  } finally {
    // A failure may already have ended the transaction.
    if (file.inTransaction) file.exec('COMMIT')
  }
}
