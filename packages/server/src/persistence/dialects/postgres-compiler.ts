import { ColumnDefinitionNode, type DataTypeNode, PostgresQueryCompiler, type QueryCompiler } from 'kysely'

/**
 * Compiles statements for PostgreSQL. Compares and sorts texts by their bytes, as SQLite does. With the
 * collation of the database, lists would be sorted differently on another machine, and indexes could become
 * invalid after an upgrade.
 */
class Compiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node)
    const isColumn = this.parentNode !== undefined && ColumnDefinitionNode.is(this.parentNode)
    if (isColumn && node.dataType === 'text') this.append(' collate "C"')
  }
}

export function createPostgresCompiler(): QueryCompiler {
  return new Compiler()
}
