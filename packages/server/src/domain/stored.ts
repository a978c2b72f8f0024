/** A JSON document as it is kept: its text, parsed only when somebody looks inside. */
export class Stored<T> {
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  /** The document of a value. */
  static of<T>(value: T): Stored<T> {
    return new Stored<T>(JSON.stringify(value))
  }

  /** The document whose text the database holds; what was written there was checked before. */
  static from<T>(text: string): Stored<T> {
    return new Stored<T>(text)
  }

  value(): T {
    return JSON.parse(this.text)
  }
}
