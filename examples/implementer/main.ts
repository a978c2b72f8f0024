import { startServer } from './src/server.ts'

const { IMPLEMENTER_SECRET: secret, PORT = '8090', CONTROL_PORT = '8092' } = process.env
if (!secret) throw new Error('Set IMPLEMENTER_SECRET to the secret that all seeded credentials share.')
const { url, controlUrl } = await startServer({
  port: Number(PORT),
  controlPort: Number(CONTROL_PORT),
  secret,
})
console.log(`The API is available at ${url}, and the control hooks at ${controlUrl}.`)
