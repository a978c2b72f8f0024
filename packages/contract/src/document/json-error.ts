/** The position at which a string stops being valid JSON, and the token that was expected there. */
export interface JsonError {
  /** The line, starting at 1. The column also starts at 1 and counts UTF-16 code units. */
  readonly line: number
  readonly column: number
  /** The token that should come next. */
  readonly expected: string
}

/**
 * Scans a JSON text (RFC 8259) up to its first error. The kit can't use the messages from `JSON.parse`, because they
 * differ between JavaScript engines.
 */
class Scanner {
  readonly #text: string
  #at = 0
  /** The token that was expected where the scan stopped. */
  expected: string | undefined

  constructor(text: string) {
    this.#text = text
  }

  get at(): number {
    return this.#at
  }

  #takes(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    this.#at += found?.length ?? 0
    return found !== undefined
  }

  #needs(pattern: RegExp, expected: string): boolean {
    const taken = this.#takes(pattern)
    if (!taken) this.expected = expected
    return taken
  }

  #space(): void {
    this.#takes(/[ \t\n\r]*/y)
  }

  #string(expected: string): boolean {
    if (!this.#needs(/"/y, expected)) return false
    this.#takes(/(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy)
    return this.#needs(/"/y, 'the rest of a string and a quotation mark')
  }

  /** Scans a list of items in brackets. The list may be empty. */
  #list(close: RegExp, mark: string, one: () => boolean): boolean {
    this.#space()
    if (this.#takes(close)) return true
    do {
      this.#space()
      if (!one()) return false
      this.#space()
    } while (this.#takes(/,/y))
    return this.#needs(close, `a comma or ${mark}`)
  }

  #member(): boolean {
    if (!this.#string('a name in quotation marks')) return false
    this.#space()
    return this.#needs(/:/y, 'a colon') && this.#value()
  }

  #value(): boolean {
    this.#space()
    if (this.#takes(/\{/y)) return this.#list(/\}/y, '}', () => this.#member())
    if (this.#takes(/\[/y)) return this.#list(/\]/y, ']', () => this.#value())
    if (this.#takes(/(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y)) return true
    return this.#string('a value')
  }

  scan(): void {
    if (!this.#value()) return
    this.#space()
    this.#needs(/$/y, 'the end')
  }
}

/** Returns where a string stops being valid JSON, or `undefined` if it is valid. */
export const jsonError = (text: string): JsonError | undefined => {
  const scanner = new Scanner(text)
  scanner.scan()
  const { at, expected } = scanner
  if (expected === undefined) return undefined
  const lines = text.slice(0, at).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, expected }
}
