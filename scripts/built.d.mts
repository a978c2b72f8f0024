export const fingerprintFile: string

export function staleBuild(folder?: string): string | undefined
