// Plays faults against a real server on SQLite and tells what came of each call.
import { request as ask } from 'undici'
import type { Channel } from '../../core/channels/channel.ts'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import type { Caller } from '../support/caller.ts'
import { eventually, openTestGateway } from '../support/gateway.ts'
import { healthy, TEXTS, USAGE, WHOLE_TEXT } from './answers.ts'
import type { Fault, Outcome } from './fault.ts'
import { startWireProvider, type WireProvider } from './wire.ts'

const SETTINGS = {
  'relay.idle_timeout_seconds': 1,
  'relay.first_content_seconds': 1,
  'relay.hang_up_seconds': 1,
  AutomaticDisableChannelEnabled: true,
}
/** Where nothing comes, the caller leaves after so long: more than the limits above. In ms. */
const PATIENCE_MS = 2500
/** Everybody else waits longer than any busy machine needs. In ms. */
const LONG_PATIENCE_MS = 25_000
const SLOW_SECONDS = 30
const QUOTA = 1_000_000_000
/** Addresses and keys that no caller and no log row may show. */
const SECRETS = /127\.0\.0\.1|10\.0\.0\.7|nginx|upstream-secret|elsewhere/
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1'

/** What came of a call, as the table says it. */
export interface Played extends Outcome {
  log: 'consumption' | 'cut short' | 'error'
  /** Requests that reached the faulty and the healthy channels. */
  asked: { faulty: number; healthy: number }
  /** Where the next call went, now that the provider is well: only told where there is a choice. */
  channel: 'on' | 'cooling' | 'off'
}

export interface Rig {
  play(fault: Fault, streamed: boolean, channels: 1 | 3): Promise<Played>
  /** The caller leaves once the first text has come; or, where none streams in, once the provider is asked. */
  leave(fault: Fault, streamed: boolean): Promise<{ came: boolean; paid: number; logged: number }>
  /** The books agree, nothing is held, no connection is left. */
  settled(): Promise<{ ok: boolean; open_holds: number; connections: number }>
  close(): Promise<void>
}

export async function openRig(): Promise<Rig> {
  const weir = await openTestGateway()
  const faulty = await startWireProvider()
  const well = await startWireProvider()
  well.behave(healthy)
  for (const [key, value] of Object.entries(SETTINGS)) await weir.set(key, value)
  const caller = await weir.addCaller({ quota: QUOTA })
  const { client, ports } = weir.gateway
  const channelsNow: Channel[] = []
  let lastLog = 0

  async function open({ behave, slow }: Fault, count: 1 | 3): Promise<Channel> {
    for (const { id } of channelsNow.splice(0)) await client.channels.delete({ id })
    const setting = slow ? JSON.stringify({ first_content_timeout_seconds: SLOW_SECONDS }) : ''
    const first = await weir.addChannel({ base_url: behave ? faulty.url : NOWHERE, priority: 10, setting })
    channelsNow.push(first)
    for (let more = 1; more < count; more++) channelsNow.push(await weir.addChannel({ base_url: well.url }))
    return first
  }

  async function newLog(): Promise<LogEntry> {
    const rows = await eventually(
      async () => (await caller.logs()).filter(({ id }) => id > lastLog),
      (fresh) => fresh.length > 0,
    )
    if (rows.length !== 1) throw new Error(`${rows.length} log rows for one call`)
    lastLog = rows[0]?.id ?? lastLog
    return rows[0] as LogEntry
  }

  /** Is it switched off, left alone, or asked as before? */
  async function stateOf({ id }: Channel, fault: Fault, choice: boolean): Promise<Played['channel']> {
    const expected = fault.channel === 'off' ? 3 : 1
    const now = await eventually(
      () => ports.storage.channels.find(id),
      (found) => found?.status === expected,
      1000,
    ).catch(() => ports.storage.channels.find(id))
    if (now?.status !== 1) return 'off'
    if (!choice || !fault.behave) return fault.channel
    const before = faulty.requests
    faulty.behave(healthy)
    const next = await callOnce(weir.url, caller, false, LONG_PATIENCE_MS)
    await newLog()
    if (next.sees !== 'whole') throw new Error(`the next call failed: ${JSON.stringify(next)}`)
    return faulty.requests > before ? 'on' : 'cooling'
  }

  return {
    async play(fault, streamed, channels) {
      // A connection that had been idle for a second would be replaced once: the provider would be asked twice.
      await faulty.endConnections()
      if (fault.behave) faulty.behave(fault.behave)
      const channel = await open(fault, channels)
      const before = { ...(await caller.balances()), faulty: faulty.requests, well: well.requests }
      const waits = fault[streamed ? 'stream' : 'plain'].sees === 'nothing'
      const seen = await callOnce(weir.url, caller, streamed, waits ? PATIENCE_MS : LONG_PATIENCE_MS)
      // Whatever it has to say behind its answer is said, and has had its effect, before the next call.
      await faulty.quiet()
      const row = await newLog()
      const after = await caller.balances()
      const asked = { faulty: faulty.requests - before.faulty, healthy: well.requests - before.well }
      if (SECRETS.test(seen.text) || SECRETS.test(JSON.stringify(row)))
        throw new Error(`it shows a secret: ${seen.text}`)
      const words = asked.healthy > 0 ? WHOLE_TEXT : (fault.text ?? WHOLE_TEXT)
      if (seen.sees === 'whole' && seen.said !== words) throw new Error(`the answer was changed: ${seen.said}`)
      if (!words.startsWith(seen.said)) throw new Error(`something was said twice: ${seen.said}`)
      const due = weir.due({ prompt: row.prompt_tokens, completion: row.completion_tokens })
      return {
        sees: seen.sees,
        status: seen.status,
        ...(seen.code === undefined ? {} : { code: seen.code }),
        charged: chargeOf(row, before.quota - after.quota, due),
        log: logOf(row),
        asked,
        channel: await stateOf(channel, fault, channels > 1),
      }
    },
    async leave(fault, streamed) {
      if (fault.behave) faulty.behave(fault.behave)
      await open(fault, 1)
      const { quota } = await caller.balances()
      const { requests } = faulty
      const left = new AbortController()
      const call = comes(weir.url, caller, streamed, left)
      if (!streamed && fault.behave) {
        await eventually(
          () => faulty.requests,
          (count) => count > requests,
        )
        left.abort()
      }
      const came = await call
      const row = await newLog()
      await faulty.quiet()
      return { came, paid: quota - (await caller.balances()).quota, logged: row.quota }
    },
    async settled() {
      await eventually(
        () => faulty.connections,
        (left) => left <= 1,
        3000,
      ).catch(() => undefined)
      const { ok, open_holds } = await client.quota.verify()
      return { ok, open_holds, connections: faulty.connections }
    },
    async close() {
      await weir.close()
      await closeAll(faulty, well)
    },
  }
}

const closeAll = (...providers: WireProvider[]) => Promise.all(providers.map((provider) => provider.close()))

function logOf({ type, other }: LogEntry): Played['log'] {
  if (type === 5) return 'error'
  return 'cut_short' in (JSON.parse(other) as object) ? 'cut short' : 'consumption'
}

/** What was charged, after a look at the balance, the row and the price. */
function chargeOf(row: LogEntry, paid: number, due: number): Outcome['charged'] {
  if (paid !== row.quota) throw new Error(`charged ${paid}, but logged ${row.quota}`)
  if (paid === 0) return 'nothing'
  if (paid !== due) throw new Error(`charged ${paid}, but ${due} are due for what was counted`)
  if ((JSON.parse(row.other) as { estimated?: boolean }).estimated) return 'estimate'
  const { prompt_tokens, completion_tokens } = row
  const exact = prompt_tokens === USAGE.prompt_tokens && completion_tokens === USAGE.completion_tokens
  return exact ? 'report' : 'cut report'
}

interface SeenCall extends Pick<Outcome, 'sees' | 'status' | 'code'> {
  text: string
  said: string
}

const asking = (url: string, { key }: Caller, stream: boolean, signal: AbortSignal) =>
  ask(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', stream, messages: [{ role: 'user', content: 'Hello' }] }),
    signal,
  })

/** Hangs up at the first text of an answer; did it come? */
async function comes(url: string, caller: Caller, streamed: boolean, left: AbortController): Promise<boolean> {
  try {
    const { body } = await asking(url, caller, streamed, left.signal)
    let text = ''
    for await (const run of body) {
      text += String(run)
      if (text.includes(TEXTS[0])) break
    }
    left.abort()
    return text.includes(TEXTS[0])
  } catch {
    return false
  }
}

/** One call as raw HTTP. */
async function callOnce(url: string, caller: Caller, streamed: boolean, patienceMs: number): Promise<SeenCall> {
  const left = AbortSignal.timeout(patienceMs)
  try {
    const answer = await asking(url, caller, streamed, left)
    const text = await answer.body.text()
    const type = String(answer.headers['content-type'])
    const seen = type.startsWith('text/event-stream') ? readStream(text) : readWhole(text, answer.statusCode)
    return { ...seen, status: answer.statusCode, text }
  } catch (error) {
    if (!left.aborted) throw error
    return { sees: 'nothing', status: 0, text: '', said: '' }
  }
}

type Read = Pick<SeenCall, 'sees' | 'code' | 'said'>

function readWhole(text: string, status: number): Read {
  const value = JSON.parse(text) as { error?: { code: string }; choices?: { message: { content: string } }[] }
  if (value.error) return { sees: 'refused', code: value.error.code, said: '' }
  if (status !== 200) throw new Error(`status ${status} without an error: ${text}`)
  return { sees: 'whole', said: value.choices?.[0]?.message.content ?? '' }
}

/** A stream has to end once: with its end mark, or with one error and nothing behind it. */
function readStream(text: string): Read {
  const events = text
    .replaceAll('\r', '\n')
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())
  let said = ''
  let code: Outcome['code']
  let over = false
  for (const data of events) {
    if (over) throw new Error(`something follows the end: ${data}`)
    if (data === '[DONE]') over = true
    else {
      const chunk = parsed(data)
      if (chunk?.error) {
        over = true
        code = chunk.error.code
      }
      said += chunk?.choices?.[0]?.delta?.content ?? ''
    }
  }
  if (!over) throw new Error(`a stream without an end: ${text}`)
  return code === undefined ? { sees: 'whole', said } : { sees: 'cut', code, said }
}

interface Chunk {
  error?: { code: string | null }
  choices?: { delta?: { content?: string } }[]
}

function parsed(data: string): Chunk | undefined {
  try {
    return JSON.parse(data) as Chunk
  } catch {
    return undefined
  }
}
