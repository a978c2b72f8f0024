import { type DatedPageText, joinedInSqlite, linkValues, pageTextFrom } from '../page-text.ts'
import type { Statement } from './dialect.ts'
import { createAnchors, statementAfterKey } from './sqlite-anchors.ts'
import { createReadCache, type ReadCache } from './sqlite-cache.ts'
import type { Commits } from './sqlite-commits.ts'
import type { SqliteFile, SqliteStatement, Values } from './sqlite-driver.ts'
import { endingWithFailures } from './sqlite-failures.ts'

/** The statements of a file, each prepared on its first use. */
export interface Statements {
  prepare(sql: string): Statement
  /** Runs a statement without values that is not worth preparing. */
  run(sql: string): void
}

type Run<T> = (values: Values) => T

/** @param commits tells of those by other processes too; absent if none can open the file. */
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

/** To read one row takes less than to read all, but a change with RETURNING has to be done with all of them. */
function prepareOn(file: SqliteFile, sql: string): SqliteStatement {
  const { all, first } = file.prepare(sql)
  return { all, first: sql.startsWith('select') ? first : (values) => all(values)[0] }
}

/** Asks whether another connection has committed a change of the file since it was asked last. */
function changesElsewhere(file: SqliteFile, commits: Commits): () => boolean {
  const versionOf = file.prepareRow('PRAGMA data_version')
  let seen: unknown
  return () => {
    // In this order: what is committed between the two is seen by one of them.
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

/** The statement, whose answers are kept if it counts or finds by a key or reads a page, or which lets go of what it changes. */
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
      // Triggers change them.
      kept.forgetTable(counted)
    } else if (takesBack) kept.forget()
    return statement.all(values)
  }
  return { all, first: (values) => all(values)[0] }
}

/** One answer is given to many. */
const frozen =
  (read: Run<unknown>): Run<unknown> =>
  (values) =>
    Object.freeze(read(values))

/** Bytes of a row: the texts in it, at their widest. */
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
    // Lists are by creation: what comes after the last row of a full page is not on it.
    remainsValid: ({ rows, newest }, createdAt, values) => rows === values.at(-2) && createdAt > newest,
  })
  return (values, link) => keeping([...linkValues(link), ...values])
}

/** Reads a page as one text: a row that crosses from the driver costs more than what it holds. */
function joinedPage(file: SqliteFile, sql: string): Run<DatedPageText> {
  const read = file.prepareRow(joinedInSqlite(sql))
  return (values) => pageTextFrom(read(values) ?? [], values)
}

/** How many rows a page may pass over until it is worth to know where it begins. */
const stride = 1000

/** Reads pages, deep ones from an anchor on. */
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

/** Sees the file as of one moment: another process may change it between two statements. */
function atOnce<T>(file: SqliteFile, look: () => T): T {
  if (file.inTransaction) return look()
  file.exec('BEGIN')
  try {
    return look()
  } finally {
    // A failure may have ended it.
    if (file.inTransaction) file.exec('COMMIT')
  }
}
