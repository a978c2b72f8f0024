import { DuplicateError, type Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

const get = statement((db, $: Slots<{ name: string }>) =>
  db.selectFrom('settings').select('value').where('name', '=', $('name')),
)
const insert = statement((db, $: Slots<{ name: string; value: string }>) =>
  db.insertInto('settings').values({ name: $('name'), value: $('value') }),
)
const upsert = statement((db, $: Slots<{ name: string; value: string }>) =>
  db
    .insertInto('settings')
    .values({ name: $('name'), value: $('value') })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: $('value') })),
)
const remove = statement((db, $: Slots<{ name: string }>) =>
  db.deleteFrom('settings').where('name', '=', $('name')),
)

/** Reads and writes small named values for a world, such as its clock and keys. */
export const settings = {
  async get(session: Session, name: string): Promise<string | undefined> {
    return (await session.one(get, { name }))?.value
  },

  async set(session: Session, name: string, value: string): Promise<void> {
    await session.all(upsert, { name, value })
  },

  async remove(session: Session, name: string): Promise<void> {
    await session.all(remove, { name })
  },

  /**
   * Returns the stored value, or creates and stores a new value. If several processes create the value at the same
   * time, the first value is used.
   */
  async once(session: Session, name: string, make: () => string): Promise<string> {
    const known = await settings.get(session, name)
    if (known !== undefined) return known
    const value = make()
    try {
      await session.all(insert, { name, value })
      return value
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error
      return (await settings.get(session, name)) ?? value
    }
  },
}
