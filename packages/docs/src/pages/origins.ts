import { type Block, heading, prose, table } from '../content/block.ts'
import { codeLink, link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'

/** Lists the operations by the version in which they last changed. */
export function originBlocks({ inputs, versions }: SiteModel, version: VersionModel): Block[] {
  const origins = inputs.origins[version.id] ?? {}
  const rows = versions.toReversed().flatMap(({ id }) => {
    const operations = version.operations.filter(({ path }) => origins[path] === id)
    if (operations.length === 0 && id !== version.id) return []
    const names = operations.map((each) => codeLink(each.id, addresses.operation(version.id, each.id)))
    const label = id === version.id ? `${id} (this version)` : link(id, addresses.version(id))
    return [[label, String(operations.length), names.join(', ') || 'none']]
  })
  return [
    heading(2, 'Changed and inherited operations', 'inherited'),
    prose(
      'A version inherits every operation that it doesn’t change. Operations were last changed in these versions:',
    ),
    table(['Last changed in', 'Number', 'Operations'], rows),
  ]
}
