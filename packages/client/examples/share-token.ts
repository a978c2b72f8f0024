// Stores access tokens in a file to share them between processes.
// The token endpoint accepts ten requests per minute.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Token, type TokenStore } from '@svc-admin/client'
import { baseUrl, groupId, serviceAccount } from './environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'tokens-'))
const file = join(folder, 'token.json')

function readAll(): Record<string, Token> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
let stored = 0
const tokenStore: TokenStore = {
  get: (key) => readAll()[key],
  set(key, token) {
    stored += 1
    writeFileSync(file, JSON.stringify({ ...readAll(), [key]: token }), { mode: 0o600 })
  },
}
for (const process of ['first', 'second']) {
  const client = createClient({ baseUrl, credentials: serviceAccount, version: '2025-03-12', tokenStore })
  const { totalCount } = await client.listAlerts({ groupId })
  console.log(process, 'sees', totalCount, 'alerts; tokens requested:', stored)
}
rmSync(folder, { recursive: true })
