import type { IndexDefinition } from '../domain/search/index-definition.ts'
import { Stored } from '../domain/stored.ts'
import { removal } from '../persistence/removal.ts'
import { type SearchAnalyzers, searchAnalyzers } from '../persistence/search-analyzers.ts'
import { searchIndexes } from '../persistence/search-indexes.ts'
import { searchNodes } from '../persistence/search-nodes.ts'
import {
  ControlInputError,
  type Fields,
  fieldsOf,
  list,
  maybeNumber,
  maybeText,
  text,
  time,
} from './fields.ts'
import { seedPathOf } from './seed-path.ts'
import type { Seeding } from './seeding.ts'

export async function seedSearchAnalyzers({ transaction }: Seeding, fields: Fields): Promise<void> {
  const analyzers: SearchAnalyzers = list(fields, 'analyzers').map((item) => {
    const analyzer = fieldsOf(item, "An item of 'analyzers'")
    const tokenizer = fieldsOf(analyzer.tokenizer, "'tokenizer'")
    return { ...analyzer, name: text(analyzer, 'name'), tokenizer: { ...tokenizer } }
  })
  await searchAnalyzers.put(transaction, seedPathOf(fields), analyzers)
}

/** Seeds an index. The index enters its state at the time of seeding, like a newly created index. */
export async function seedSearchIndex({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  const { groupId, clusterName } = seedPathOf(fields)
  const latest = fieldsOf(fields.latestDefinitionVersion, "'latestDefinitionVersion'")
  const definedAt = time(text(latest, 'createdAt'), 'createdAt')
  const definition = Stored.of<IndexDefinition>({
    ...fieldsOf(fields.latestDefinition, "'latestDefinition'"),
  })
  const id = text(fields, 'indexID')
  await removal.identified(transaction, 'search_indexes', id)
  await searchIndexes.replace(transaction, {
    id,
    groupId,
    clusterName,
    database: text(fields, 'database'),
    collectionName: text(fields, 'collectionName'),
    name: text(fields, 'name'),
    type: text(fields, 'type'),
    state: text(fields, 'status'),
    since: now,
    built: fields.queryable === true,
    failure: messageOf(fields),
    definition,
    version: maybeNumber(latest, 'version') ?? 1,
    definedAt,
    createdAt: definedAt,
  })
}

/** Returns an index's error message, which is part of its status on the hosts. */
function messageOf(fields: Fields): string {
  const details = list(fields, 'statusDetail').map((item) => fieldsOf(item, "An item of 'statusDetail'"))
  return details.map((detail) => maybeText(detail, 'message')).find((one) => one !== undefined) ?? ''
}

export async function seedSearchNodes({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  const { groupId, clusterName } = seedPathOf(fields)
  const [spec] = list(fields, 'specs').map((item) => fieldsOf(item, "An item of 'specs'"))
  if (!spec) throw new ControlInputError("'specs' must not be empty")
  await searchNodes.put(transaction, {
    id: text(fields, 'id'),
    groupId,
    clusterName,
    state: text(fields, 'stateName'),
    since: now,
    specs: [{ ...spec }],
    createdAt: now,
  })
}
