/** An OpenAPI Overlay 1.0 document. */
export interface Overlay {
  overlay: '1.0.0'
  info: { title: string; version: string }
  /** The address of the document that the overlay extends, relative to the overlay. */
  extends: string
  actions: OverlayAction[]
}

export interface OverlayAction {
  /** A JSONPath that selects one object. */
  target: string
  /** The fields to add to the object. */
  update: Record<string, unknown>
}

/** Writes a path as JSONPath (RFC 9535). */
export function jsonPathOf(path: (string | number)[]): string {
  const segments = path.map((key) => {
    if (typeof key === 'number') return `[${key}]`
    return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `['${key}']`
  })
  return `$${segments.join('')}`
}

const segment = /\.(\w+)|\['([^']+)'\]|\[(\d+)\]/g

/**
 * Applies an overlay from this package to a document, and changes the document in place. Supports only the
 * actions that these overlays contain.
 *
 * @throws Error if the overlay extends a different document.
 */
export function applyOverlay<Document extends object>(document: Document, { actions }: Overlay): Document {
  for (const { target, update } of actions) {
    const keys = [...target.matchAll(segment)].map(([, name, quoted, index]) => name ?? quoted ?? index ?? '')
    const node = keys.reduce<unknown>((at, key) => Object(at)[key], document)
    if (typeof node !== 'object' || node === null) throw new Error(`The document has no ${target}.`)
    Object.assign(node, update)
  }
  return document
}
