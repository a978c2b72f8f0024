import { connect } from 'node:net'

/**
 * Sends pipelined requests on many connections. The command-line arguments are `<port> <sockets> <requests> <request>`.
 */
const [port, sockets, requests, request = ''] = process.argv.slice(2)
const total = Number(requests)
const bytes = Buffer.from(request.repeat(total), 'latin1')
const statusLine = 'HTTP/1.1 '

for (let opened = 0; opened < Number(sockets); opened += 1) {
  const socket = connect(Number(port), '127.0.0.1')
  let responses = 0
  socket.on('data', (chunk) => {
    for (let at = chunk.indexOf(statusLine); at >= 0; at = chunk.indexOf(statusLine, at + 1)) responses += 1
    if (responses >= total) socket.destroy()
  })
  socket.on('error', () => {})
  socket.on('close', () => process.stdout.write(`${responses}\n`))
  socket.write(bytes)
}
