/** Returns the system time. Tests replace this function to make results reproducible. */
export type RealTime = () => number

/** Returns random bytes. Worlds and tests replace this function to make results reproducible. */
export type RandomBytes = (count: number) => Buffer
