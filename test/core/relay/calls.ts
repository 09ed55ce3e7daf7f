// One call after another through a gateway in memory, and what came of each.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { DATABASE_FILE_NAME } from '../../../core/adapters/knex/connection/connection.ts'
import { encodeFrame, type OutputPiece } from '../../../core/dialects/answers/frames.ts'
import { noSession } from '../../../core/auth/caller.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import type { CallSink } from '../../../core/calls/sinks.ts'
import type { Call, CallCaller, Head } from '../../../core/relay/call.ts'
import type { RelayCall } from '../../../core/relay/relay.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { newChannel } from '../../storage/samples.ts'
import { migratedImage } from '../../support/sqlite.ts'
import { findCaller, openCaller, openMemoryGateway, type MemoryGateway, type Role } from '../gateway.ts'

export const MODEL = 'gpt-4o'
/** What every user here begins with. */
export const QUOTA = 1_000_000

export interface Answered {
  head?: Head
  text: string
  /** What the relay threw. */
  error?: unknown
}

/** Prices that make the sums easy: input 1, output 2. */
const PRICES = [
  { key: 'ModelRatio', value: '{"gpt-4o": 1}' },
  { key: 'CompletionRatio', value: '{"gpt-4o": 2}' },
]

export async function openRelay(
  given: {
    channels?: Parameters<typeof newChannel>[0][]
    wrap?: (storage: Storage) => Storage
    role?: Role
    quota?: number
    sinks?: readonly CallSink[]
    place?: { database: string }
  } = {},
) {
  const { wrap, sinks, place, quota = QUOTA, role = 'user' } = given
  const prepared = !place && role === 'user' ? await prepareDatabase(quota) : undefined
  const start = prepared ? { image: prepared.image } : place ? { place } : {}
  const gateway = await openMemoryGateway({ ...(wrap ? { wrap } : {}), ...start, sinks })
  if (!prepared) await gateway.ask(await gateway.as('root'), 'settings.update', { options: PRICES })
  const channels = given.channels ?? [{}]
  // Higher priority first, so that the order of trying is the order here.
  await gateway.storage.channels.insert(
    channels.map((fields, index) =>
      newChannel({ base_url: `http://p${index + 1}.test`, models: MODEL, priority: -index, ...fields }),
    ),
  )
  await gateway.storage.announce({ topic: 'channels', id: 0 })
  const caller = await (prepared ? findCaller(gateway, prepared.key) : openCaller(gateway, { quota, role }))
  return relayed(gateway, caller)
}

interface PreparedDatabase {
  image: Uint8Array
  /** The caller's token. */
  key: string
}

/** By the quota of the caller. To set prices and add a caller takes four times as long as a copy of the database. */
const preparedDatabases = new Map<number, Promise<PreparedDatabase>>()

function prepareDatabase(quota: number): Promise<PreparedDatabase> {
  const known = preparedDatabases.get(quota) ?? makeDatabase(quota)
  preparedDatabases.set(quota, known)
  return known
}

/** A database with the prices and a caller of that quota. */
async function makeDatabase(quota: number): Promise<PreparedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-relay-'))
  const file = join(folder, DATABASE_FILE_NAME)
  try {
    await writeFile(file, await migratedImage())
    const gateway = await openMemoryGateway({ place: { folder } })
    await gateway.ask(await gateway.as('root'), 'settings.update', { options: PRICES })
    const { key } = await openCaller(gateway, { quota })
    await gateway.close()
    return { image: await readFile(file), key }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function relayed(gateway: MemoryGateway, caller: CallCaller) {
  const body = (fields: object) =>
    new TextEncoder().encode(
      JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'hello' }], max_tokens: 10, ...fields }),
    )
  const callOf = (fields: object = {}, more: Partial<Call> = {}): Call => ({
    ...{ inbound: openaiChat, body: body(fields), caller },
    ...{ signal: new AbortController().signal, started_at: gateway.clock.now() },
    ...more,
  })

  return {
    gateway,
    caller,
    callOf,
    begin: (fields: object = {}, more: Partial<Call> = {}) => pulled(gateway.relay, callOf(fields, more)),
    /** Reads a call to its end. */
    async run(fields: object = {}, more: Partial<Call> = {}): Promise<Answered> {
      const answered: Answered = { text: '' }
      try {
        for await (const part of pulled(gateway.relay, callOf(fields, more))) take(answered, part)
      } catch (error) {
        answered.error = error
      }
      return answered
    },
    balance: async () => (await gateway.storage.users.find(caller.user.id))?.quota,
    async logs() {
      const { items } = await gateway.storage.logs.list({ user_id: caller.user.id }, { offset: 0, limit: 50 })
      return items
        .filter(({ type }) => type === 2 || type === 5)
        .map((entry) => ({ ...entry, detail: JSON.parse(entry.other) as Record<string, unknown> }))
    },
    /** No quota is reserved any more, no provider is left waiting, and the books are right. */
    async settled(): Promise<void> {
      const { data } = await gateway.dispatch('quota.verify', {}, await rootContext(gateway))
      expect(data).toMatchObject({ ok: true, open_holds: 0, faults: [] })
      await vi.waitFor(() => expect(gateway.upstream.open).toBe(0))
    },
  }
}

export type Relayed = Awaited<ReturnType<typeof openRelay>>

async function rootContext(gateway: MemoryGateway) {
  return { caller: await gateway.as('root'), session: noSession }
}

/** One word of the relay to its caller. */
type Part =
  | { admitted: { stream: boolean; receipt: string } }
  | { head: Head }
  | { head: Head; pieces: OutputPiece[] }
  | { pieces: OutputPiece[] }

/** The answer part by part, as a caller who reads no faster than it is pulled, and who goes at `return`. */
async function* pulled(relay: RelayCall, call: Call): AsyncGenerator<Part, void> {
  const parts: Part[] = []
  let written: { resolve(): void; reject(error: Error): void } | undefined
  let wake = () => {}
  let gone = false
  const put = (part: Part) => {
    parts.push(part)
    wake()
  }
  const running = relay(call, {
    admitted: (stream, receipt) => put({ admitted: { stream, receipt } }),
    head: (head) => put({ head }),
    whole: (head, pieces) => put({ head, pieces }),
    write(pieces) {
      if (gone) return Promise.reject(new Error('the caller hung up'))
      put({ pieces })
      return new Promise((resolve, reject) => (written = { resolve, reject }))
    },
  })
  let over = false
  const end = running
    .catch(() => {})
    .finally(() => {
      over = true
      wake()
    })
  try {
    for (;;) {
      while (parts.length === 0 && !over) await new Promise<void>((resolve) => (wake = resolve))
      const part = parts.shift()
      if (!part) break
      yield part
      if ('pieces' in part) written?.resolve()
    }
  } finally {
    gone = true
    written?.reject(new Error('the caller hung up'))
    await end
  }
  await running
}

export function take(answered: Answered, part: Part): void {
  if ('head' in part) answered.head = part.head
  if ('pieces' in part) answered.text += textOf(part.pieces)
}

export const textOf = (pieces: OutputPiece[]): string =>
  pieces.map((piece) => new TextDecoder().decode(piece instanceof Uint8Array ? piece : encodeFrame(piece))).join('')
