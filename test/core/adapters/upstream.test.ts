// Connections to a provider: kept while they are usable for another call, closed when a call breaks off, and read no
// faster than the client takes the answer.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createUpstream } from '../../../core/adapters/upstream.ts'
import type { UpstreamReply, UpstreamRequest } from '../../../core/ports/upstream.ts'
import { createAbortSource } from '../../../core/relay/call.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function open(listener: RequestListener) {
  const sockets = new Set<Socket>()
  let opened = 0
  const server = createServer(listener).on('connection', (socket) => {
    opened += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const upstream = createUpstream()
  closing.push(
    () => upstream.close(),
    async () => {
      server.closeAllConnections()
      server.close()
    },
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const stop = createAbortSource()
  const send = (more: Partial<UpstreamRequest> = {}): Promise<UpstreamReply> =>
    upstream.send(
      { method: 'GET', url, headers: {}, guarded: false, headers_timeout_ms: 5000, idle_timeout_ms: 5000, ...more },
      stop.signal,
    )
  return { send, stop, opened: () => opened, live: () => sockets.size }
}

const textOf = (runs: Uint8Array[]) => Buffer.concat(runs).toString()

async function read({ body }: UpstreamReply): Promise<string> {
  const runs: Uint8Array[] = []
  for await (const run of body) runs.push(run)
  return textOf(runs)
}

/** Turns of the event loop in which all that was written to 127.0.0.1 is read. */
async function passTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Long enough that the other side may have closed a kept connection. */
const rested = () => new Promise((resolve) => setTimeout(resolve, 1_050))

describe('connections to a provider', () => {
  test('serve one call after the other, and as many at once as there are calls', async () => {
    const { send, opened } = await open((_, response) => response.end('hello'))
    for (let call = 0; call < 5; call++) expect(await read(await send())).toBe('hello')
    expect(opened()).toBe(1)
    expect(await Promise.all([send(), send(), send()].map(async (reply) => read(await reply)))).toEqual(
      Array(3).fill('hello'),
    )
    expect(opened()).toBe(3)
  })

  test('are closed when a call is broken off, and none is opened in their place', async () => {
    const { send, stop, opened, live } = await open((_, response) => void response.write('data: 1\n\n'))
    const replies = await Promise.all([send(), send()])
    const reading = replies.map((reply) => read(reply).catch((error: unknown) => error))
    stop.now(new Error('the caller hung up'))
    expect(await Promise.all(reading)).toEqual([new Error('the caller hung up'), new Error('the caller hung up')])
    await vi.waitFor(() => expect(live()).toBe(0))
    await sleep(50)
    expect(opened()).toBe(2)
  })

  test('that the provider closes are not used again', async () => {
    const { send, opened } = await open((_, response) => response.setHeader('connection', 'close').end('bye'))
    expect(await read(await send())).toBe('bye')
    expect(await read(await send())).toBe('bye')
    expect(opened()).toBe(2)
  })

  test.each(['at once', 'without a word'])(
    'that the provider ends %s are tried once more on a fresh one',
    async (how) => {
      const asked: boolean[] = []
      const seen = new Set<Socket>()
      const { send, opened } = await open(({ socket }, response) => {
        const isKept = seen.has(socket)
        seen.add(socket)
        asked.push(isKept)
        if (!isKept) return response.end('hello')
        return how === 'at once' ? socket.resetAndDestroy() : socket.end()
      })
      expect(await read(await send())).toBe('hello')
      await rested()
      expect(await read(await send())).toBe('hello')
      expect(asked).toEqual([false, true, false])
      expect(opened()).toBe(2)
    },
  )

  test('are not tried once more where they are new, where something came back, or a second time', async () => {
    let answers = 0
    let asked = 0
    const { send } = await open((_, response) => {
      asked++
      if (answers-- > 0) response.end('hello')
      else if (answers < -2) response.write('hel', () => response.destroy())
      else response.destroy()
    })
    await expect(send()).rejects.toMatchObject({ code: 'upstream.unreachable' })
    expect(asked).toBe(1)
    answers = 1
    await read(await send())
    await rested()
    await expect(send()).rejects.toMatchObject({ code: 'upstream.unreachable' })
    expect(asked).toBe(4)
    answers = 1
    await read(await send())
    await rested()
    answers = -2
    await expect(read(await send())).rejects.toMatchObject({ code: 'upstream.broken' })
    expect(asked).toBe(6)
    // In use a moment ago: nobody has closed it for being idle, and the call may have been heard.
    answers = 1
    await read(await send())
    await expect(send()).rejects.toMatchObject({ code: 'upstream.unreachable' })
    expect(asked).toBe(8)
  })

  test('that break while nobody waits are forgotten', async () => {
    const { send, opened, live } = await open((request, response) => {
      response.end('hello')
      response.on('finish', () => setTimeout(() => request.socket.destroy(), 10))
    })
    expect(await read(await send())).toBe('hello')
    await vi.waitFor(() => expect(live()).toBe(0))
    expect(await read(await send())).toBe('hello')
    expect(opened()).toBe(2)
  })
})

describe('a body in parts', () => {
  const parts = ['a'.repeat(1_000_000), 'b', '', 'c'.repeat(300_000)].map((text) => new TextEncoder().encode(text))
  const request = { method: 'POST', body: parts } as const
  const whole = textOf(parts)

  async function receive(request: IncomingMessage): Promise<string> {
    const runs: Uint8Array[] = []
    for await (const run of request) runs.push(run as Uint8Array)
    return textOf(runs)
  }

  test('is received as one of its length, over one connection', async () => {
    const received: [string | undefined, string | undefined, boolean][] = []
    const { send, opened } = await open(async (request, response) => {
      const { 'content-length': length, 'transfer-encoding': coding } = request.headers
      received.push([length, coding, (await receive(request)) === whole])
      response.end('hello')
    })
    for (let call = 0; call < 3; call++) expect(await read(await send(request))).toBe('hello')
    expect(received).toEqual(Array.from({ length: 3 }, () => [String(whole.length), undefined, true]))
    expect(opened()).toBe(1)
  })

  test('is sent again as a whole where the provider has closed the connection', async () => {
    const seen = new Set<Socket>()
    const received: string[] = []
    const { send, opened } = await open(async (request, response) => {
      const { socket } = request
      if (seen.has(socket)) return socket.resetAndDestroy()
      seen.add(socket)
      received.push(await receive(request))
      response.end('hello')
    })
    await read(await send(request))
    await rested()
    expect(await read(await send(request))).toBe('hello')
    expect(received.map((body) => body === whole)).toEqual([true, true])
    expect(opened()).toBe(2)
  })

  test('is not sent further once the provider has answered', async () => {
    const { send, live } = await open((_, response) => response.writeHead(413).end('too large'))
    const many = Array.from({ length: 50 }, () => parts).flat()
    for (let call = 0; call < 3; call++) {
      const reply = await send({ ...request, body: many })
      expect(reply.status).toBe(413)
      expect(await read(reply)).toBe('too large')
    }
    await vi.waitFor(() => expect(live()).toBe(0))
  })

  test('ends with its call', async () => {
    const { send, stop, live } = await open((request) => void request.once('data', () => stop.now(new Error('gone'))))
    await expect(send({ ...request, body: Array.from({ length: 50 }, () => parts).flat() })).rejects.toThrow('gone')
    await vi.waitFor(() => expect(live()).toBe(0))
  })
})

describe('an answer that is poured', () => {
  const pourInto = (reply: UpstreamReply, take: (text: string) => boolean | Promise<boolean>) =>
    reply.body[Symbol.asyncIterator]().drainTo?.((run) => take(textOf([run])))

  test('comes run by run, to its end', async () => {
    const { send } = await open(async (_, response) => {
      for (const text of ['one ', 'two ', 'three']) {
        response.write(text)
        await sleep(20)
      }
      response.end()
    })
    let all = ''
    await pourInto(await send(), (text) => {
      all += text
      return true
    })
    expect(all).toBe('one two three')
  })

  test('waits for who takes it, and joins what comes meanwhile', async () => {
    let takesFirst = () => {}
    const firstIsTaken = new Promise<void>((resolve) => (takesFirst = resolve))
    let sendsAll = () => {}
    const allIsSent = new Promise<void>((resolve) => (sendsAll = resolve))
    const { send } = await open(async (_, response) => {
      response.write('a')
      await firstIsTaken
      for (const text of ['b', 'c', 'd']) {
        response.write(text)
        await passTurns()
      }
      response.end(sendsAll)
    })
    const taken: string[] = []
    await pourInto(await send(), async (text) => {
      taken.push(text)
      takesFirst()
      await allIsSent
      await passTurns()
      return true
    })
    expect(taken[0]).toBe('a')
    expect(taken.slice(1).join('')).toBe('bcd')
    expect(taken.length).toBe(2)
  })

  test('is given to who takes it one run at a time, however much there is', async () => {
    const runs = Array.from({ length: 200 }, (_, at) => String(at % 10).repeat(64 * 1024))
    const { send } = await open((_, response) => void response.end(runs.join('')))
    let busy = false
    let all = ''
    await pourInto(await send(), async (text) => {
      expect(busy).toBe(false)
      busy = true
      await new Promise((resolve) => setImmediate(resolve))
      all += text
      busy = false
      return true
    })
    expect(all === runs.join('')).toBe(true)
  })

  test('stops where enough is taken, and where taking fails', async () => {
    const { send } = await open((_, response) => void response.write('for ever'))
    await pourInto(await send(), () => false)
    await expect(
      pourInto(await send(), () => {
        throw new Error('cannot be read')
      }),
    ).rejects.toThrow('cannot be read')
    await expect(pourInto(await send(), () => Promise.reject(new Error('nobody reads')))).rejects.toThrow(
      'nobody reads',
    )
  })

  test('says that it broke off', async () => {
    const { send } = await open((request, response) => {
      response.write('half')
      setTimeout(() => request.socket.destroy(), 20)
    })
    let all = ''
    const poured = pourInto(await send(), (text) => {
      all += text
      return true
    })
    await expect(poured).rejects.toMatchObject({ code: 'upstream.broken' })
    expect(all).toBe('half')
  })
})
