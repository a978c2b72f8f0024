import { accessSync, constants, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Misconfiguration } from '../engine/signals.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'it may not be opened',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such folder',
  EROFS: 'nothing can be written there',
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** Why a file could not be opened, in words. */
const whyNot = (error: unknown): string => {
  const code = String(codeOf(error) ?? error)
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

/** Signal 0 is sent to nobody; EPERM says that there is somebody to whom this process may send none. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Makes the file that says who holds another one; false when there is one. */
const claim = (lock: string): boolean => {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw new Misconfiguration(`${lock} cannot be written: ${whyNot(error)}`)
  }
}

/**
 * Holds a file for this process, until what is returned is called. What a process left that was killed holds nothing.
 *
 * @param what it is for, as on the command line.
 * @throws Misconfiguration when another process of this machine holds it.
 */
export const holdFile = (what: string, file: string): (() => void) => {
  const lock = `${file}.lock`
  while (!claim(lock)) {
    const holder = Number(readText(lock))
    if (holder > 0 && holder !== process.pid && isRunning(holder))
      throw new Misconfiguration(
        `${what} ${file} is in use by process ${holder}: wait for it to end, or remove ${lock} if it is no run of the kit`,
      )
    rmSync(lock, { force: true })
  }
  return () => rmSync(lock, { force: true })
}
