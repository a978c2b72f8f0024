/** Returns the system time. Tests replace this function to get reproducible results. */
export type RealTime = () => number

/** Returns random bytes. Worlds and tests replace this function to get reproducible results. */
export type RandomBytes = (count: number) => Buffer
