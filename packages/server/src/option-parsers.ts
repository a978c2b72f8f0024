import { readFileSync, statSync } from 'node:fs'
import { createAccessList, networksIn } from './domain/access-list.ts'
import { maskAddress } from './domain/mask-address.ts'
import { kindOfDatabase } from './persistence/database-address.ts'

/** The log levels, from most to least verbose. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * Rejects empty values, which are usually caused by an unset environment variable. For example, an empty hostname would
 * make the server listen on all addresses.
 */
export function nonEmpty(expected: string): (value: string) => string {
  return (value) => {
    if (value.trim() !== '') return value
    throw new Error(`must be ${expected}, but is empty. Omit it to use the default`)
  }
}

const notEmpty = nonEmpty('a file, :memory:, or postgres://…')

/**
 * Rejects an invalid address before the server opens the database. If the server tried to use an invalid address, the
 * error message could contain the password.
 */
export function databaseAddress(value: string): string {
  kindOfDatabase(notEmpty(value))
  return value
}

export function integer(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < minimum || number > maximum) {
      throw new Error(`must be an integer from ${minimum} to ${maximum}, but is '${value}'`)
    }
    return number
  }
}

export function folder(value: string): string {
  if (value === '' || statSync(value, { throwIfNoEntry: false })?.isDirectory()) return value
  throw new Error(`must be an existing folder, but is '${value}'`)
}

/** Rejects unreadable files before the server opens a database or a port. */
export function readableFile(value: string): string {
  if (value === '') return value
  try {
    readFileSync(value)
    return value
  } catch (error) {
    throw new Error(
      `must be a readable file, but is '${value}' (${error instanceof Error ? error.message : error})`,
    )
  }
}

/** Accepts comma-separated IP addresses and CIDR blocks. */
export function networks(value: string): string {
  try {
    createAccessList(networksIn(value))
    return value
  } catch (error) {
    throw new Error(
      `must be IP addresses and CIDR blocks, separated by commas: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** Converts a URL to a form that is safe in headers and JSON, and removes trailing slashes. */
export function address(value: string): string {
  if (value === '') return value
  const expected = 'an http or https URL without credentials, query, or fragment'
  const url = /^\s*https?:\/\/[^?#]+$/i.test(value) && URL.canParse(value) ? new URL(value) : undefined
  if (url && url.username + url.password === '') return url.href.replace(/\/+$/, '')
  throw new Error(`must be ${expected}, but is '${maskAddress(value)}'`)
}

export function flag(value: string): boolean {
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  throw new Error(`must be true or false, but is '${value}'`)
}

export function logLevel(value: string): LogLevel {
  const level = logLevels.find((known) => known === value)
  if (!level) throw new Error(`must be one of ${logLevels.join(', ')}, but is '${value}'`)
  return level
}
