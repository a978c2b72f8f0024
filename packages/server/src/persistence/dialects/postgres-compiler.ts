import { ColumnDefinitionNode, type DataTypeNode, PostgresQueryCompiler, type QueryCompiler } from 'kysely'

/**
 * Compiles statements for PostgreSQL. Texts are compared and sorted by bytes, as in SQLite. With the database's
 * collation, lists would be sorted differently on another machine, and indexes could become invalid after an upgrade.
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
