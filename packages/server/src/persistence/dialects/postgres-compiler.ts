import { ColumnDefinitionNode, type DataTypeNode, PostgresQueryCompiler, type QueryCompiler } from 'kysely'

/**
 * Compiles for PostgreSQL. Texts are compared and ordered by their bytes, as SQLite does: by the collation of
 * the database, a list would be in another order on another machine, and its index of no use after an upgrade.
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
