import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
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
 * The text of a file, without the byte order mark that some editors begin one with.
 *
 * @throws Misconfiguration when it cannot be read.
 */
export const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
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

/** Locks of this process: one that names it and is none of these was left by an earlier process of the same id. */
const own = new Set<string>()

const pause = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** Who holds a lock, if anybody does. It is empty for as long as its holder is about to write itself down. */
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
 * Holds a lock for this process, until what is returned is called. What a process left that was killed holds nothing.
 *
 * @param refusal what is said when a process of this machine holds it.
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
 * Holds a file for this process, until what is returned is called.
 *
 * @param what it is for, as on the command line.
 * @throws Misconfiguration when a run of this machine holds it.
 */
export const lockFile = (what: string, file: string): (() => void) => {
  const lock = `${file}.lock`
  return hold(
    lock,
    (holder) =>
      `${what} ${file} is in use by process ${holder}: wait for it to end, or remove ${lock} if it is no run of the kit`,
  )
}

/** One file for each place, however its address is written, and whoever looks for it on this machine. */
const lockFor = (address: string): string => {
  const { protocol, hostname, port, pathname } = new URL(address)
  const host = ['localhost', '[::1]'].includes(hostname) ? '127.0.0.1' : hostname
  const place = `${protocol}//${host}:${port}${pathname.replace(/\/$/, '')}`
  return join(tmpdir(), `contract-${createHash('sha256').update(place).digest('hex').slice(0, 16)}.lock`)
}

/**
 * Holds a place whose clock a run moves, until what is returned is called: another run there would find its tokens
 * expired and its jobs done, and blame the target.
 *
 * @param instead what else the other run could do.
 * @throws Misconfiguration when a run of this machine holds it.
 */
export const lockClockOf = (address: string, instead: string): (() => void) => {
  const lock = lockFor(address)
  return hold(
    lock,
    (holder) =>
      `process ${holder} runs the kit at ${address}, and two runs would move one clock: wait for it to end${instead}, or remove ${lock} if it is no run of the kit`,
  )
}
