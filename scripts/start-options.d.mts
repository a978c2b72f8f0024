export function splitFlags(args: readonly string[]): string[]
export function whereDataStays(database: string): string
