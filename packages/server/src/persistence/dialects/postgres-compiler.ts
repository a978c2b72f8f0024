import { ColumnDefinitionNode, type DataTypeNode, PostgresQueryCompiler, type QueryCompiler } from 'kysely'

/**
 * Compiles statements for PostgreSQL so that text is compared and sorted by bytes, as in SQLite. With the database's
 * default collation, the order of lists would depend on the machine, and an upgrade could invalidate indexes.
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
