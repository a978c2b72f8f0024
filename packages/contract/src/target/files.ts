import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Misconfiguration } from '../engine/signals.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'it may not be opened',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such folder',
  EROFS: 'nothing can be written there',
}

/** Why a file could not be opened, in words. */
const whyNot = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return reasons[code] ?? code
}

/**
 * The text of a file.
 *
 * @throws Misconfiguration when it cannot be read.
 */
export const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Misconfiguration(`${file} cannot be read: ${whyNot(error)}`)
  }
}

/**
 * A file that can be written once there is something to write.
 *
 * @param what it is for, as on the command line.
 * @throws Misconfiguration when it cannot.
 */
export const expectWritable = (what: string, file: string): void => {
  const folder = dirname(resolve(file))
  const cannot = (why: string): never => {
    throw new Misconfiguration(`${what} ${file} cannot be written: ${why}`)
  }
  if (existsSync(file) && statSync(file).isDirectory()) cannot('it is a folder')
  if (!existsSync(folder) || !statSync(folder).isDirectory()) cannot(`there is no folder ${folder}`)
  try {
    accessSync(existsSync(file) ? file : folder, constants.W_OK)
  } catch (error) {
    cannot(whyNot(error))
  }
}
