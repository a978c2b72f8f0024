// Sources of time and randomness, which tests and worlds can replace to get reproducible results.

/** Returns the system time. Tests can replace this function. */
export type RealTime = () => number

/** Returns random bytes. Worlds can replace this function to be reproducible. */
export type RandomBytes = (count: number) => Buffer
