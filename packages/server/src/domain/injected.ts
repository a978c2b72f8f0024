// Sources of time and randomness. Tests and worlds can replace them to make results reproducible.

/** Returns the system time. Tests can replace this function. */
export type RealTime = () => number

/** Returns random bytes. Worlds can replace this function to be reproducible. */
export type RandomBytes = (count: number) => Buffer
