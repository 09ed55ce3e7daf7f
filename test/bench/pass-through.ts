// The yardstick: a bare node:http server that reads the body, dispatches it through undici and writes each piece of the
// answer as it comes. It does nothing else. Usage: pass-through PORT PROVIDER_URL
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { Pool, type Dispatcher } from 'undici'

const [port, url] = process.argv.slice(2)
const pool = new Pool(url ?? '', { connections: null })

// A class: closures made for every request would be the slower shape.
class Passing implements Dispatcher.DispatchHandler {
  private readonly response: ServerResponse

  constructor(response: ServerResponse) {
    this.response = response
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.response.on('close', () => {
      if (!this.response.writableFinished) controller.abort(new Error('the caller hung up'))
    })
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    const length = headers['content-length']
    const type = headers['content-type'] ?? 'application/json'
    this.response.writeHead(
      status,
      length === undefined ? { 'content-type': type } : { 'content-type': type, 'content-length': length },
    )
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.response.write(chunk)
  }

  onResponseEnd(): void {
    this.response.end()
  }

  onResponseError(): void {
    if (!this.response.headersSent) this.response.writeHead(502)
    this.response.end()
  }
}

createServer((request, response) => {
  const runs: Buffer[] = []
  request.on('data', (run: Buffer) => runs.push(run))
  request.on('end', () => {
    const body = runs.length === 1 ? runs[0] : Buffer.concat(runs)
    const headers = { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' }
    pool.dispatch({ path: request.url ?? '/', method: 'POST', headers, body }, new Passing(response))
  })
}).listen(Number(port), '127.0.0.1')
