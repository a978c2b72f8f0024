/** An OpenAPI Overlay 1.0 document. */
export interface Overlay {
  overlay: '1.0.0'
  info: { title: string; version: string }
  /** The path of the document that the overlay changes, relative to the overlay. */
  extends: string
  actions: OverlayAction[]
}

export interface OverlayAction {
  /** A JSONPath expression that selects one object. */
  target: string
  /** The fields that the overlay adds to the object. */
  update: Record<string, unknown>
}

/** Formats a path as a JSONPath expression (RFC 9535). */
export function jsonPathOf(path: (string | number)[]): string {
  const segments = path.map((key) => {
    if (typeof key === 'number') return `[${key}]`
    return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `['${key}']`
  })
  return `$${segments.join('')}`
}

const segment = /\.(\w+)|\['([^']+)'\]|\[(\d+)\]/g

/**
 * Applies one of this package's overlays to a document, which is changed in place. Supports only the kinds of actions
 * that these overlays contain.
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
