/** The time of the server: that of the machine, and what a test added to it. */
export class Clock {
  #ahead = 0

  now(): number {
    return Date.now() + this.#ahead
  }

  advance(seconds: number): void {
    this.#ahead += seconds * 1000
  }
}

/** The last moment that RFC 3339 can write; with an offset a request can mean a later one. */
const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

export const timestamp = (moment: number): string => new Date(Math.min(moment, last)).toISOString()

/** The moment of an RFC 3339 date-time, or undefined. A leap second is the second after it. */
export const momentOf = (text: string): number | undefined => {
  const leap = /:60(?=[.Z+-])/i.test(text)
  const moment = Date.parse(leap ? text.replace(/:60(?=[.Z+-])/i, ':59') : text)
  return Number.isNaN(moment) ? undefined : moment + (leap ? 1000 : 0)
}
