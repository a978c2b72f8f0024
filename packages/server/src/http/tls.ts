import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { Server } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { Log } from './log.ts'

/** The paths of the PEM files with a TLS certificate and its key. Both paths are empty for plain HTTP. */
export interface TlsFiles {
  readonly tlsCertificate: string
  readonly tlsKey: string
}

export interface TlsContents {
  readonly cert: Buffer
  readonly key: Buffer
}

/**
 * Reads and checks the TLS certificate and key. Returns undefined if TLS isn't enabled.
 *
 * @throws {Error} if a file can't be read or if the key doesn't match the certificate.
 */
export function readTls({ tlsCertificate, tlsKey }: TlsFiles): TlsContents | undefined {
  if (tlsCertificate === '') return undefined
  try {
    const contents = { cert: readFileSync(tlsCertificate), key: readFileSync(tlsKey) }
    createSecureContext(contents)
    return contents
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The TLS certificate ${tlsCertificate} and the key ${tlsKey} cannot be used: ${why}`, {
      cause: error,
    })
  }
}

/**
 * The number of milliseconds between checks for changed files. The server polls the files, because file system events
 * don't report files that are replaced through symbolic links, as in Kubernetes.
 */
const pollInterval = 5000

/**
 * Reloads the certificate files when they change and uses them for new connections. If the new files are invalid, logs
 * an error and continues to use the previous files.
 */
export function reloadTls(server: unknown, files: TlsFiles, log: Log, interval = pollInterval): void {
  if (!(server instanceof Server)) return
  const reload = () => {
    try {
      const contents = readTls(files)
      if (contents) server.setSecureContext(contents)
      log.info('TLS certificate reloaded', { certificate: files.tlsCertificate })
    } catch (error) {
      log.error('TLS certificate not reloaded', { failure: String(error) })
    }
  }
  const paths = [files.tlsCertificate, files.tlsKey]
  for (const path of paths) watchFile(path, { interval, persistent: false }, reload)
  server.once('close', () => {
    for (const path of paths) unwatchFile(path, reload)
  })
}
