import { relative } from 'node:path'

/** The server takes `--port=9000` and `--port 9000`: here each flag and its value stand apart. */
export const splitFlags = (args) =>
  args.flatMap((text) => /^(--[a-z-]+)=(.*)$/s.exec(text)?.slice(1) ?? [text])

/** Where the data is after the end, in words that name no password. */
export function whereDataStays(database) {
  if (database === ':memory:') return 'The data is gone then.'
  if (/^\w+:\/\//.test(database)) return 'The data stays in the database that you named.'
  return `The data stays in ${relative(process.cwd(), database)}.`
}
