/** Work that is begun again and again. */
export interface Loop {
  /** Begins it now. */
  kick(): void
  /** Begins it no more. */
  stop(): void
}

/** Begins something regularly, each so many milliseconds, without keeping the process alive for it. */
export function startLoop(interval: number, kick: () => void): Loop {
  const timer = setInterval(kick, interval).unref()
  return { kick, stop: () => clearInterval(timer) }
}
