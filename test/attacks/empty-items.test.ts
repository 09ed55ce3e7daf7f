// Attacks by items that weigh nothing in what a caller sends: each kind in its smallest form, as many as fit. What a
// provider answers is in core/adapters/turn-share.test.ts, frames of WebSockets in sockets.test.ts.
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'

const MIB = 1024 * 1024
const chunks = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / piece.length))
const chunked = (piece: string) => `transfer-encoding: chunked\r\n\r\n${chunks(piece, MIB)}0\r\n\r\n`
const whole = (type: string, body: string) => `content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
const form = (piece: string) => whole('multipart/form-data; boundary=b', `${chunks(piece, 4 * MIB)}--b--\r\n`)

/** What follows the first line of a request, or what its address ends with. */
const FLOODS: Record<string, { behind?: string; query?: string }> = {
  'header lines': { behind: `${chunks('a:\r\n', MIB)}\r\n` },
  'parameters of a query': { query: `?${chunks('&', MIB)}` },
  'extensions of a chunk': { behind: `transfer-encoding: chunked\r\n\r\n1${chunks(';a', MIB)}\r\n{\r\n0\r\n\r\n` },
  'chunks of one byte': { behind: `content-type: application/json\r\n${chunked('1\r\n \r\n')}` },
  'chunks with an extension each': { behind: `content-type: application/json\r\n${chunked('1;a\r\n \r\n')}` },
  'members of JSON': { behind: whole('application/json', `{"messages":[${chunks('{},', 4 * MIB)}{}]}`) },
  'items of JSON': { behind: whole('application/json', `{"messages":[${chunks('0,', 4 * MIB)}0]}`) },
  'parts of a form': { behind: form('--b\r\n\r\n\r\n') },
  'fields of a form': { behind: form('--b\r\ncontent-disposition: form-data; name=""\r\n\r\n\r\n') },
  'lines between parts': { behind: form('\r\n') },
  'fields of a page': { behind: whole('application/x-www-form-urlencoded', chunks('&', 4 * MIB)) },
}
const PATHS = ['/v1/chat/completions', '/v1/audio/transcriptions', '/v1/images/edits', '/api/user/login']

describeWithGateway('a flood of', (weir) => {
  /** Sends what the server takes of it. Resolves to the status of the answer; 0 where the connection ended without. */
  function flood(path: string, key: string, { behind = '\r\n', query = '' }: { behind?: string; query?: string }) {
    const { port } = new URL(weir.url)
    const socket = connect(Number(port), '127.0.0.1')
    const text: string[] = []
    socket.on('data', (data) => text.push(String(data)))
    const head = `POST ${path}${query} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${key}\r\n`
    socket.write(head + behind)
    // A server that has read enough ends the connection.
    socket.on('error', () => undefined)
    return new Promise<number>((resolve) =>
      socket.on('close', () => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(text.join(''))?.[1] ?? 0))),
    )
  }

  for (const [kind, sent] of Object.entries(FLOODS)) {
    it(`${kind} breaks nothing, and neighbours are answered meanwhile`, { timeout: 60_000 }, async () => {
      await weir.addChannel()
      const [ada, bob] = [await weir.addCaller({ quota: 1_000_000 }), await weir.addCaller({ quota: 1_000_000 })]
      for (const path of PATHS) {
        const answer = flood(path, ada.key, sent)
        expect((await bob.openai.models.list()).data, path).not.toEqual([])
        const status = await answer
        // The JSON API tells refusals in an answer of status 200.
        expect(status, path).toBeLessThan(500)
      }
    })
  }
})
