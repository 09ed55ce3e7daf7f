// A server that ends waits for those whom it answers, and for nobody else.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createStop } from '../../http/stop.ts'

/** Longer than a test may take: who waits for it fails. In ms. */
const LONG_MS = 60_000
const ASKS = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

async function listening(listener: RequestListener) {
  const server = createServer(listener)
  const stop = createStop(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const opened = async (says = '') => {
    const accepted = once(server, 'connection')
    const socket = connect(port, '127.0.0.1')
    await accepted
    if (says !== '') socket.write(says)
    return { socket, text: textOf(socket) }
  }
  return { server, stop, opened }
}

const textOf = async (socket: Socket): Promise<string> => {
  let text = ''
  socket.on('data', (run: Buffer) => (text += run.toString()))
  socket.on('error', () => undefined)
  await once(socket, 'close')
  return text
}

describe('a server that stops', { timeout: 10_000 }, () => {
  it('closes connections that were never used, and those that are only kept', async () => {
    const { stop, opened } = await listening((_, response) => response.end('well'))
    const unused = await opened()
    const kept = await opened(ASKS)
    await once(kept.socket, 'data')
    await stop(LONG_MS)
    expect(await unused.text).toBe('')
    expect(await kept.text).toContain('well')
  })

  it('ends an answer that is under way, and its connection with it', async () => {
    const { server, stop, opened } = await listening((_, response) => {
      response.write('begun, ')
      server.once('stopping', () => response.end('ended'))
    })
    const { socket, text } = await opened(ASKS)
    await once(socket, 'data')
    const stopped = stop(LONG_MS)
    server.emit('stopping')
    await stopped
    expect(await text).toMatch(/begun, [^]*ended/)
  })

  it('cuts what is not over in time', async () => {
    const { stop, opened } = await listening((_, response) => void response.write('begun, '))
    const { socket, text } = await opened(ASKS)
    await once(socket, 'data')
    await stop(1)
    expect(await text).not.toContain('\r\n0\r\n')
  })

  describe('and lingers, for proxies send before they can know', () => {
    const LINGER_MS = 400

    it.each([
      ['idle', async () => undefined],
      ['answered', async (server: Server) => void server.emit('stopping')],
    ])('takes one more call on a connection that was %s, and ends it with that', async (kind, meanwhile) => {
      const { server, stop, opened } = await listening((request, response) => {
        if (request.url === '/more') return void response.end('more')
        response.write('begun, ')
        if (kind === 'idle') response.end('ended')
        else server.once('stopping', () => response.end('ended'))
      })
      const { socket, text } = await opened(ASKS)
      await once(socket, 'data')
      const stopped = stop(LONG_MS, undefined, LINGER_MS)
      await meanwhile(server)
      await setTimeout(LINGER_MS / 4)
      socket.write(ASKS.replace('/', '/more') + ASKS)
      await stopped
      expect(await text).toMatch(/begun, [^]*ended[^]*connection: close[^]*more$/i)
    })

    it('takes the first call of a connection that was made before', async () => {
      const { stop, opened } = await listening((_, response) => response.end('well'))
      const { socket, text } = await opened()
      const stopped = stop(LONG_MS, undefined, LINGER_MS)
      await setTimeout(LINGER_MS / 4)
      socket.write(ASKS)
      await stopped
      expect(await text).toMatch(/connection: close[^]*well/i)
    })

    it('waits no longer for those who ask nothing', async () => {
      const { stop, opened } = await listening((_, response) => response.end('well'))
      const unused = await opened()
      const kept = await opened(ASKS)
      await once(kept.socket, 'data')
      await stop(LONG_MS, undefined, LINGER_MS)
      expect([await unused.text, await kept.text]).toEqual(['', expect.stringContaining('well')])
    })
  })
})
