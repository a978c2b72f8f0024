import type { OpenApiDocument } from '../src/model.ts'
import { jsonPathOf, type Overlay, type OverlayAction } from '../src/overlay.ts'

/** Extensions that describe where a statement comes from. All other extensions describe the API itself. */
const provenance = ['x-strength', 'x-source', 'x-decided']

type Path = (string | number)[]

const isProvenance = (key: string, path: Path): boolean =>
  provenance.includes(key) || (key === 'source' && path.at(-1) === 'x-deprecation')

/** Splits a document into the document to publish, and an overlay that contains the provenance. */
export function splitProvenance(
  complete: OpenApiDocument,
  version: string,
): { document: OpenApiDocument; overlay: Overlay } {
  const actions: OverlayAction[] = []
  const document = withoutProvenance(complete, [], actions) as OpenApiDocument
  const { title, version: number } = complete.info
  return {
    document,
    overlay: {
      overlay: '1.0.0',
      info: { title: `Provenance of the ${title}`, version: number },
      extends: `${version}.json`,
      actions,
    },
  }
}

function withoutProvenance(value: unknown, path: Path, actions: OverlayAction[]): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => withoutProvenance(item, [...path, index], actions))
  if (value === null || typeof value !== 'object') return value
  const fields = Object.entries(value)
  const removed = fields.filter(([key]) => isProvenance(key, path))
  if (removed.length > 0) actions.push({ target: jsonPathOf(path), update: Object.fromEntries(removed) })
  return Object.fromEntries(
    fields
      .filter(([key]) => !isProvenance(key, path))
      .map(([key, child]) => [key, withoutProvenance(child, [...path, key], actions)]),
  )
}
