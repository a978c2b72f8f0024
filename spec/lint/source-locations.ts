import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isMap, isNode, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { type JsonPath, pathOf } from '../rules/read/json.ts'

export interface SourceLocation {
  /** The path of the file, relative to the folder with all source files. */
  file: string
  line: number
  column: number
}

interface SourceFile {
  root: Node | null
  lines: LineCounter
}

interface Place {
  file: string
  node: unknown
  /**
   * The key of the node, if it has one. Reports show the position of the key because it is more useful than the
   * position of the value.
   */
  key?: unknown
}

/** Files with components that the build adds to the documents. The keys in these files are component names. */
const addedComponents = ['shared/headers.yaml']

/** Finds the source location of a node in a bundled document. */
export class SourceLocations {
  readonly #folder: string
  readonly #files = new Map<string, SourceFile>()
  readonly #components = new Map<string, Map<string, Place>>()

  /** @param folder The folder that contains the source files. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Finds the source of the node at `path` in the document that is bundled from the index file. If the build generated
   * this node, returns the source of the closest node above it.
   */
  find(index: string, path: JsonPath): SourceLocation | undefined {
    const start = this.#startOf(index, path)
    if (!start) return undefined
    let place = start.place
    for (const key of start.rest) {
      const next = this.#child(place, String(key))
      if (!next) break
      place = next
    }
    return this.#locationOf(place)
  }

  #startOf(index: string, path: JsonPath): { place: Place; rest: JsonPath } | undefined {
    const root = this.#rootOf(index)
    if (!root) return undefined
    const [first, , name] = path
    const component = first === 'components' ? this.#componentsOf(index).get(String(name)) : undefined
    return component ? { place: component, rest: path.slice(3) } : { place: root, rest: path }
  }

  #child(place: Place, key: string): Place | undefined {
    const own = this.#ownChild(place, key)
    if (own) return own
    const target = this.#target(place)
    return target && this.#child(target, key)
  }

  #ownChild({ file, node }: Place, key: string): Place | undefined {
    if (isSeq(node)) {
      const item = node.items[Number(key)]
      return item === undefined ? undefined : { file, node: item }
    }
    if (!isMap(node)) return undefined
    const pair = node.items.find((each) => isSameKey(String(each.key), key))
    return pair && { file, node: pair.value, key: pair.key }
  }

  /** Finds the target of a reference to a different file. */
  #target({ file, node }: Place): Place | undefined {
    const reference = isMap(node) ? node.get('$ref') : undefined
    if (typeof reference !== 'string' || reference.startsWith('#')) return undefined
    const [path = '', pointer = ''] = reference.split('#')
    let place = this.#rootOf(join(dirname(file), path))
    for (const key of pathOf(pointer)) place = place && this.#child(place, String(key))
    return place
  }

  #rootOf(file: string): Place | undefined {
    const path = join(this.#folder, file)
    const known = this.#files.get(file) ?? (existsSync(path) ? read(path) : undefined)
    if (!known) return undefined
    this.#files.set(file, known)
    return { file, node: known.root }
  }

  /**
   * Returns the source of each component in a bundled document. Redocly names a component after its file or its key.
   */
  #componentsOf(index: string): Map<string, Place> {
    const known = this.#components.get(index)
    if (known) return known
    const found = new Map<string, Place>()
    this.#components.set(index, found)
    for (const file of addedComponents) this.#addKeys(file, found)
    const root = this.#rootOf(index)
    if (root) this.#collect(root, found, new Set())
    return found
  }

  #addKeys(file: string, found: Map<string, Place>): void {
    const root = this.#rootOf(file)
    if (!root || !isMap(root.node)) return
    for (const { key, value } of root.node.items) found.set(String(key), { file, node: value, key })
  }

  #collect(place: Place, found: Map<string, Place>, seen: Set<unknown>): void {
    const { file, node } = place
    if (seen.has(node)) return
    seen.add(node)
    const target = this.#target(place)
    if (target) {
      found.set(nameOf(String(isMap(node) ? node.get('$ref') : '')), target)
      this.#collect(target, found, seen)
    }
    const children = isMap(node) ? node.items.map(({ value }) => value) : isSeq(node) ? node.items : []
    for (const child of children) this.#collect({ file, node: child }, found, seen)
  }

  #locationOf({ file, node, key }: Place): SourceLocation | undefined {
    const start = [key, node].find((each) => isNode(each) && each.range)
    const offset = isNode(start) ? start.range?.[0] : undefined
    const position = this.#files.get(file)?.lines.linePos(offset ?? 0)
    return position && { file, line: position.line, column: position.col }
  }
}

function read(path: string): SourceFile {
  const lines = new LineCounter()
  return { root: parseDocument(readFileSync(path, 'utf8'), { lineCounter: lines }).contents, lines }
}

function nameOf(reference: string): string {
  const last = reference.split('/').at(-1) ?? ''
  return last.replace(/^.*#/, '').replace(/\.\w+$/, '')
}

/**
 * Returns whether a key in a bundled document matches a key in a source file. For v1.0, a dated media type in the
 * source corresponds to `application/json`, because v1.0 shares path items with the first dated version of v2.
 */
function isSameKey(source: string, key: string): boolean {
  return source === key || (key === 'application/json' && /^application\/vnd\..+\+json$/.test(source))
}

/** Formats a source location, with the file's path relative to `from`. */
export function sourceText({ file, line, column }: SourceLocation, folder: string, from: string): string {
  return `${relative(from, join(folder, file))}:${line}:${column}`
}
