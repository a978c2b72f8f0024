// Benchmark baseline: a bare `node:http` server that sends recorded responses.
import { createServer } from 'node:http'

const responses = JSON.parse(process.env.BENCH_ANSWERS ?? '{}')
const port = Number(process.argv[2])
createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const { status, headers, body } = responses[`${request.method} ${request.url}`] ?? {
      status: 404,
      headers: {},
      body: '',
    }
    response.writeHead(status, headers)
    response.end(body)
  })
}).listen(port, '127.0.0.1')
