/** A stored JSON document that is parsed only when needed. */
export class Stored<T> {
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  static of<T>(value: T): Stored<T> {
    return new Stored<T>(JSON.stringify(value))
  }

  /** Wraps text from the database. The text doesn't need to be validated again. */
  static from<T>(text: string): Stored<T> {
    return new Stored<T>(text)
  }

  value(): T {
    return JSON.parse(this.text)
  }
}
