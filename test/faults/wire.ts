// A provider as bare bytes on a socket, so that it can break every rule that an HTTP library would keep.
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** One request's way back. Every wait ends when the caller is gone. */
export interface Wire {
  /** Sends bytes as a packet of their own; waits while the other side does not read. */
  say(bytes: string | Uint8Array): Promise<void>
  wait(ms: number): Promise<void>
  /** Says nothing until the caller is gone. */
  stall(): Promise<void>
  /** Ends the connection politely. */
  end(): void
  /** Breaks the connection off. */
  reset(): void
  gone(): boolean
}

/** What a provider does with a request; `streamed` is what the caller asked for. */
export type Behaviour = (wire: Wire, streamed: boolean) => Promise<void> | void

export interface WireProvider {
  url: string
  /** Requests that arrived. */
  readonly requests: number
  /** Connections that are open. */
  readonly connections: number
  behave(behaviour: Behaviour): void
  /** Resolves once every behaviour that was begun is over. */
  quiet(): Promise<void>
  /** Ends all connections. Resolves once the other side has closed them, too. */
  endConnections(): Promise<void>
  close(): Promise<void>
}

export async function startWireProvider(): Promise<WireProvider> {
  const sockets = new Set<Socket>()
  const running = new Set<Promise<void>>()
  let behaviour: Behaviour = (wire) => wire.end()
  let requests = 0

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    const gone = new AbortController()
    socket.on('close', () => {
      sockets.delete(socket)
      gone.abort()
    })
    const wire = wireOf(socket, gone.signal)
    let kept = ''
    socket.on('data', (run) => {
      kept += run.toString('latin1')
      const head = kept.indexOf('\r\n\r\n')
      const length = Number(/content-length: *(\d+)/i.exec(kept.slice(0, head))?.[1] ?? 0)
      if (head < 0 || kept.length < head + 4 + length) return
      const streamed = kept.includes('"stream":true')
      kept = ''
      requests++
      // A wait that ends because the caller is gone ends the behaviour: nothing is left to do.
      const played = Promise.resolve(behaviour(wire, streamed))
        .catch(() => void socket.destroy())
        .finally(() => running.delete(played))
      running.add(played)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests
    },
    get connections() {
      return sockets.size
    },
    behave: (next) => void (behaviour = next),
    quiet: async () => void (await Promise.all(running)),
    async endConnections() {
      const ended = [...sockets].map(async (socket) => {
        const closed = new Promise((resolve) => socket.once('close', resolve))
        socket.end()
        await closed
      })
      await Promise.all(ended)
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function wireOf(socket: Socket, signal: AbortSignal): Wire {
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false })
  return {
    async say(bytes) {
      if (signal.aborted) throw signal.reason
      const taken = socket.write(bytes)
      if (taken) return void (await new Promise((resolve) => setImmediate(resolve)))
      await new Promise<void>((resolve, reject) => {
        socket.once('drain', resolve)
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      })
    },
    wait,
    stall: () => wait(2 ** 30),
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    gone: () => signal.aborted,
  }
}
