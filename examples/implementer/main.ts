import { startServer } from './src/server.ts'

const { IMPLEMENTER_SECRET: secret, PORT = '8090', CONTROL_PORT = '8092' } = process.env
if (!secret) throw new Error('Set IMPLEMENTER_SECRET: every credential of the seed has it.')
const { url, controlUrl } = await startServer({
  port: Number(PORT),
  controlPort: Number(CONTROL_PORT),
  secret,
})
console.log(`alert areas at ${url}, hooks at ${controlUrl}`)
