import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { driver } from './sqlite-drivers.ts'

/**
 * Copies a database file, even while a server is using it. The copy reflects a single point in time. Returns the size
 * of the copied file in bytes.
 *
 * @throws {Error} if the file doesn't exist, the copy already exists, or the disk fails. A partial copy is deleted.
 */
export function backUpFile(path: string, target: string): number {
  if (!existsSync(path)) throw new Error(`The database file ${path} does not exist`)
  if (existsSync(target)) throw new Error(`The file ${target} already exists. Choose a different name`)
  const partial = `${resolve(target)}-partial`
  try {
    rmSync(partial, { force: true })
    copy(path, partial)
    verify(partial)
    renameSync(partial, target)
  } catch (error) {
    rmSync(partial, { force: true })
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The database file ${path} cannot be backed up to ${target}: ${why}`, { cause: error })
  }
  return statSync(target).size
}

function copy(path: string, partial: string): void {
  // Create an empty file that only its owner can read. SQLite accepts an existing file only if it is empty.
  closeSync(openSync(partial, 'ax', 0o600))
  const file = driver.open(path)
  try {
    file.exec(`VACUUM INTO '${partial.replaceAll("'", "''")}'`)
  } finally {
    file.close()
  }
}

function verify(partial: string): void {
  const file = driver.open(partial)
  try {
    const [result] = file.prepareRow('PRAGMA quick_check')([]) ?? []
    if (result !== 'ok') throw new Error(`The copy is damaged (${result})`)
  } finally {
    file.close()
  }
  const handle = openSync(partial, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}
