// New rows of the log over server-sent events: each once, in order, to whom they are shown, until they may not be.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { parseEventStream, type ServerSentEvent } from '../../core/contract/replies.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { createListener } from '../../http/server.ts'
import { createStop } from '../../http/stop.ts'
import { newLog } from '../storage/samples.ts'

interface Listening {
  status: number
  /** Behind which row it begins. */
  begun: Promise<number | undefined>
  heard: ServerSentEvent[]
  /** Ids of the rows that were told. */
  ids(): (number | undefined)[]
  over: Promise<void>
  close(): void
}

const opened: Listening[] = []
afterEach(() => opened.splice(0).forEach(({ close }) => close()))

async function listen(url: string, headers: Record<string, string>): Promise<Listening> {
  const request = http.get(url, { headers, agent: false })
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  const heard: ServerSentEvent[] = []
  let begunAt: (id: number | undefined) => void = () => undefined
  const begun = new Promise<number | undefined>((resolve) => (begunAt = resolve))
  const over = (async () => {
    try {
      for await (const event of parseEventStream(answer.setEncoding('utf8') as AsyncIterable<string>))
        if (event.event === 'begun') begunAt(event.id)
        else heard.push(event)
    } catch {
      // Cut off: over as well.
    }
  })()
  const listening = {
    ...{ status: answer.statusCode ?? 0, begun, heard, over, close: () => request.destroy() },
    ids: () => heard.map(({ id }) => id),
  }
  opened.push(listening)
  return listening
}

describeWithOwnGateway('the stream of the log', (weir) => {
  const { insert } = {
    insert: (...rows: object[]) => weir.gateway.ports.storage.logs.insert(rows.map((row) => newLog(row))),
  }
  const asRoot = (query = '', headers: Record<string, string> = {}) =>
    listen(`${weir.url}/api/log/stream${query}`, {
      cookie: weir.root.cookie(),
      'new-api-user': String(weir.rootId),
      ...headers,
    })
  const told = ({ heard }: Listening) => heard.map(({ data }) => (data as LogEntry).content)

  it('tells each row once, and goes on behind the last one that was heard', async () => {
    const first = await asRoot('?token_name=streamed')
    expect(first.status).toBe(200)
    await insert(
      { token_name: 'streamed', content: 'one' },
      { token_name: 'other' },
      { token_name: 'streamed', content: 'two' },
    )
    await expect.poll(() => told(first), { timeout: 5000 }).toEqual(['one', 'two'])
    first.close()
    await insert({ token_name: 'streamed', content: 'three' }, { token_name: 'streamed', content: 'four' })
    const again = await asRoot('?token_name=streamed', { 'last-event-id': String(first.ids()[0]) })
    await insert({ token_name: 'streamed', content: 'five' })
    await expect.poll(() => told(again), { timeout: 8000 }).toEqual(['two', 'three', 'four', 'five'])
    const typed = weir.gateway.client.logs.stream({ token_name: 'streamed', last_event_id: again.ids()[2] })
    const { events, end } = await typed
    const rows: string[] = []
    for await (const { event, data } of events) {
      if (event !== undefined) continue
      rows.push((data as LogEntry).content)
      end()
    }
    expect(rows).toEqual(['five'])
  })

  it('misses nothing where it was cut off before anything was heard', async () => {
    await insert({ token_name: 'before' })
    const first = await asRoot('?token_name=quiet')
    const begun = await first.begun
    first.close()
    await insert({ token_name: 'quiet', content: 'meanwhile' })
    const again = await asRoot('?token_name=quiet', { 'last-event-id': String(begun) })
    await expect.poll(() => told(again), { timeout: 8000 }).toEqual(['meanwhile'])
  })

  it('shows people their own rows alone, without what is for administrators', async () => {
    const ada = await weir.addVisitor()
    const headers = { cookie: ada.cookie(), 'new-api-user': String(ada.user.id) }
    expect((await listen(`${weir.url}/api/log/stream`, headers)).status).toBe(200)
    const answer = await ada.send('GET', '/api/log/stream')
    expect(answer.json.code).toBe('access.forbidden')
    const own = await listen(`${weir.url}/api/log/self/stream?user_id=${weir.rootId}&username=root`, headers)
    const detail = JSON.stringify({ admin_info: { use_channel: [7] }, frt: 1 })
    await insert({ user_id: weir.rootId, content: 'hers not' })
    await insert({ user_id: ada.user.id, content: 'hers', channel: 7, other: detail })
    await expect.poll(() => told(own), { timeout: 5000 }).toEqual(['hers'])
    expect(own.heard[0]?.data).toMatchObject({ channel: 0, channel_name: '', other: '{"frt":1}' })
  })

  it('ends at once when the session or the access token does, and others go on', async () => {
    const ada = await weir.addVisitor()
    const made = await ada.client.users.createAccessToken({ name: 'a follower' })
    const url = `${weir.url}/api/log/self/stream`
    const session = await listen(url, { cookie: ada.cookie(), 'new-api-user': String(ada.user.id) })
    const token = await listen(url, { authorization: `Bearer ${made.token}` })
    const other = await asRoot()
    await ada.client.users.deleteAccessToken({ id: made.id })
    await token.over
    await ada.send('GET', '/api/user/logout')
    await session.over
    const banned = await weir.addVisitor()
    const barred = await listen(url, { cookie: banned.cookie(), 'new-api-user': String(banned.user.id) })
    await weir.root.client.users.manage({ id: banned.user.id, action: 'disable' })
    await barred.over
    await insert({ content: 'still here' })
    await expect.poll(() => told(other), { timeout: 5000 }).toContain('still here')
  })

  it('is bounded for each user', async () => {
    const ada = await weir.addVisitor()
    const headers = { cookie: ada.cookie(), 'new-api-user': String(ada.user.id) }
    const url = `${weir.url}/api/log/self/stream`
    const all = await Promise.all(Array.from({ length: 6 }, () => listen(url, headers)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
    all.forEach(({ close }) => close())
    await expect.poll(async () => (await listen(url, headers)).status, { timeout: 5000 }).toBe(200)
  })

  it('ends with the server', async () => {
    const server = http.createServer(createListener(weir.gateway))
    const stop = createStop(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const asker = { cookie: weir.root.cookie(), 'new-api-user': String(weir.rootId) }
    const stream = await listen(`http://127.0.0.1:${port}/api/log/stream`, asker)
    expect(stream.status).toBe(200)
    await stop(60_000)
    await stream.over
  })
})
