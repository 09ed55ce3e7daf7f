// A proxy to PostgreSQL that can be interrupted: at any moment, in the middle of a commit, or silently.
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

export interface CutProxy {
  port: number
  /** New connections go there from now on; those that are open are reset. */
  to(port: number): void
  /** Nothing passes any more, either way, until it is let pass. */
  hold(): void
  release(): void
  /** Every commit loses its connection: before the server has it, or behind it, so that nobody hears what came of it. */
  cutCommits(when: 'before' | 'behind' | 'never'): void
  /** Connections that lost a commit so far. */
  readonly cut: number
  close(): Promise<void>
}

/** So long the server has to do what it was told before the connection goes, in ms. */
const DONE_MS = 100

export async function startCutProxy(target: number): Promise<CutProxy> {
  const pairs = new Set<{ near: Socket; far: Socket }>()
  let cutting: 'before' | 'behind' | 'never' = 'never'
  let held = false
  let cut = 0

  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    const pair = { near, far }
    pairs.add(pair)
    const messages = createMessages()
    const end = () => {
      near.destroy()
      far.destroy()
      pairs.delete(pair)
    }
    for (const socket of [near, far]) {
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', end)
    }
    near.on('data', (run: Buffer) => {
      const commit = messages.commitIn(run)
      if (commit === undefined || cutting === 'never') return void far.write(run)
      cut++
      if (cutting === 'before') {
        far.end(run.subarray(0, commit))
        near.resetAndDestroy()
        return
      }
      far.removeAllListeners('data')
      far.write(run)
      far.resume()
      setTimeout(() => {
        near.resetAndDestroy()
        end()
      }, DONE_MS)
    })
    far.on('data', (run: Buffer) => near.write(run))
    if (held) pause(pair)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const pause = ({ near, far }: { near: Socket; far: Socket }) => {
    near.pause()
    far.pause()
  }
  const reset = () => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy()
      far.destroy()
    }
  }
  return {
    port: (server.address() as AddressInfo).port,
    to(port) {
      target = port
      reset()
    },
    hold() {
      held = true
      for (const pair of pairs) pause(pair)
    },
    release() {
      held = false
      for (const { near, far } of pairs) {
        near.resume()
        far.resume()
      }
    },
    cutCommits(when) {
      cutting = when
    },
    get cut() {
      return cut
    },
    async close() {
      reset()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const [BIND, PARSE, QUERY] = ['B', 'P', 'Q'].map((letter) => letter.charCodeAt(0))

/** Follows what a client of PostgreSQL says, and finds commits in it: as texts, and by the names of those that are prepared. */
function createMessages() {
  const names = new Set<string>()
  let begun = false
  let rest = Buffer.alloc(0)
  return {
    /** Where in these bytes the first message that commits begins; undefined where there is none. */
    commitIn(run: Buffer): number | undefined {
      const before = rest.length
      const bytes = Buffer.concat([rest, run])
      let found: number | undefined
      let at = 0
      for (;;) {
        // The first message has no type.
        const head = begun ? 1 : 0
        if (bytes.length < at + head + 4) break
        const length = bytes.readUInt32BE(at + head)
        if (bytes.length < at + head + length) break
        const type = begun ? bytes[at] : undefined
        const body = bytes.subarray(at + head + 4, at + head + length)
        if (commits(type, body)) found ??= Math.max(0, at - before)
        begun = true
        at += head + length
      }
      rest = bytes.subarray(at)
      return found
    },
  }

  function commits(type: number | undefined, body: Buffer): boolean {
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2)
    if (type === PARSE) {
      if (/^commit\b/i.test(second)) names.add(first)
      else names.delete(first)
    }
    // A bound one is `portal, statement`.
    return (type === QUERY && /^commit\b/i.test(first)) || (type === BIND && names.has(second))
  }
}
