/** Returns the system time. Tests can replace this function to get reproducible results. */
export type RealTime = () => number

/** Returns random bytes. Worlds and tests can replace this function to get reproducible results. */
export type RandomBytes = (count: number) => Buffer
