// Sources of time and randomness. They are replaceable, so that a world can be reproduced.

/** The system clock. Replaceable in tests. */
export type RealTime = () => number

/** Returns random bytes. Replaceable, so that a world can be reproduced. */
export type RandomBytes = (count: number) => Buffer
