import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Misconfiguration } from '../model/signals.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the folder does not exist',
  EROFS: 'the file system is read-only',
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

const whyNot = (error: unknown): string => {
  const code = String(codeOf(error) ?? error)
  return reasons[code] ?? code
}

/**
 * Reads a text file without its byte order mark, which some editors add.
 *
 * @throws Misconfiguration if the file can't be read.
 */
export const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    throw new Misconfiguration(`can't read ${file}: ${whyNot(error)}`)
  }
}

/**
 * Checks that a file can be written later.
 *
 * @param what A description of the file for the error message, such as `the journal`.
 * @throws Misconfiguration if the file can't be written.
 */
export const expectWritable = (what: string, file: string): void => {
  const folder = dirname(resolve(file))
  const cannot = (why: string): never => {
    throw new Misconfiguration(`can't write ${what} ${file}: ${why}`)
  }
  if (existsSync(file) && statSync(file).isDirectory()) cannot('it is a folder')
  if (!existsSync(folder) || !statSync(folder).isDirectory()) cannot(`the folder ${folder} does not exist`)
  try {
    accessSync(existsSync(file) ? file : folder, constants.W_OK)
  } catch (error) {
    cannot(whyNot(error))
  }
}

/**
 * Returns whether a process exists. Signal 0 doesn't affect the process. The error EPERM means that the process exists,
 * but belongs to another user.
 */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Creates a lock file with this process's ID. Returns false if the file already exists. */
const claim = (lock: string): boolean => {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw new Misconfiguration(`can't write ${lock}: ${whyNot(error)}`)
  }
}

/** The locks that this process holds. Another lock with the same process ID belongs to an earlier process. */
const own = new Set<string>()

const pause = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/**
 * Returns the process that has locked a file, if there is one. While a lock is being created, the lock file
 * is still empty.
 */
const holderOf = (lock: string): number | undefined => {
  for (let tries = 0; tries < 10; tries += 1) {
    if (!existsSync(lock)) return undefined
    const holder = Number(readText(lock))
    if (holder > 0) return own.has(lock) || (holder !== process.pid && isRunning(holder)) ? holder : undefined
    pause(5)
  }
  return undefined
}

/**
 * Locks a file or address until the returned function is called. Ignores the locks of
 * processes that were killed.
 *
 * @param refusal Returns the error message if another process on this machine holds the lock.
 */
const hold = (lock: string, refusal: (holder: number) => string): (() => void) => {
  while (!claim(lock)) {
    const holder = holderOf(lock)
    if (holder !== undefined) throw new Misconfiguration(refusal(holder))
    rmSync(lock, { force: true })
  }
  own.add(lock)
  return () => {
    if (own.delete(lock)) rmSync(lock, { force: true })
  }
}

/**
 * Locks a file until the returned function is called.
 *
 * @param what A description of the file for the error message, such as `the journal`.
 * @throws Misconfiguration if another run on this machine holds the lock.
 */
export const lockFile = (what: string, file: string): (() => void) => {
  const lock = `${file}.lock`
  return hold(
    lock,
    (holder) =>
      `${what} ${file} is in use by process ${holder}: wait until it ends, or remove ${lock} if the process isn't a run of the kit`,
  )
}

/** Returns the lock file for an address on this machine. Different spellings of an address share the same lock file. */
const lockFor = (address: string): string => {
  const { protocol, hostname, port, pathname } = new URL(address)
  const host = ['localhost', '[::1]'].includes(hostname) ? '127.0.0.1' : hostname
  const place = `${protocol}//${host}:${port}${pathname.replace(/\/$/, '')}`
  return join(tmpdir(), `contract-${createHash('sha256').update(place).digest('hex').slice(0, 16)}.lock`)
}

/**
 * Locks the address of a server for a run that moves the server's clock, until the returned function is called. Without
 * the lock, another run's tokens would expire and its jobs would finish, so that run would report false findings.
 *
 * @param instead An alternative to waiting, for the error message.
 * @throws Misconfiguration if another run on this machine holds the lock.
 */
export const lockClockOf = (address: string, instead: string): (() => void) => {
  const lock = lockFor(address)
  return hold(
    lock,
    (holder) =>
      `process ${holder} already runs the kit at ${address}, and both runs would move the same clock: wait until it ends${instead}, or remove ${lock} if the process isn't a run of the kit`,
  )
}
