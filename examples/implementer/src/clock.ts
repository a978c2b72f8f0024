/** The server's clock: the system clock plus the seconds that tests have added. */
export class Clock {
  #ahead = 0

  now(): number {
    return Date.now() + this.#ahead
  }

  advance(seconds: number): void {
    this.#ahead += seconds * 1000
  }
}

/** The latest time that RFC 3339 can represent in UTC. A request can specify a later time by using a UTC offset. */
const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

export const timestamp = (time: number): string => new Date(Math.min(time, last)).toISOString()

/**
 * Parses an RFC 3339 date-time, or returns undefined if it is invalid. A leap second is treated as the following
 * second.
 */
export const parseTime = (text: string): number | undefined => {
  const leap = /:60(?=[.Z+-])/i.test(text)
  const time = Date.parse(leap ? text.replace(/:60(?=[.Z+-])/i, ':59') : text)
  return Number.isNaN(time) ? undefined : time + (leap ? 1000 : 0)
}
