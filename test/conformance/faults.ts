// Recorded streams that break: what may become of them at the caller and in the books.
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { eventually } from '../support/gateway.ts'
import { bytesOf, type Recording } from '../support/recordings.ts'
import { outcomeOf, textOf } from '../support/replay.ts'
import { recorded, type TestReply } from '../support/upstream.ts'
import type { Case } from './cases.ts'
import { QUOTA, type World } from './channels.ts'
import { heardOf, lastRow, throughWeir, type Heard, type References } from './check.ts'
import { isEmptySaying, type Counted } from './saying.ts'

export interface Fault {
  name: string
  reply: TestReply
  /** The events that come, as Anthropic's or another's own endpoint would send them. */
  arrived: string
  /** All of it comes, if in strange pieces: nothing may be different. */
  harmless?: true
}

/** The recorded stream up to its end, event by event; of a binary one, message by message. */
export function eventsOf({ recording, plain }: Case): Uint8Array[] {
  const { sse } = recording.response
  // `plain` has one more, a blank line, but nothing that follows the end.
  if (sse) return sse.slice(0, plain.response.sse!.length - 1).map((event) => new TextEncoder().encode(event))
  const bytes = bytesOf(recording)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const events: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += view.getUint32(at)) events.push(bytes.subarray(at, at + view.getUint32(at)))
  return events
}

const joined = (runs: readonly Uint8Array[]): Uint8Array[] => (runs.length === 0 ? [] : [Buffer.concat(runs)])

/** Broken off behind so many events: by a plain end, by a reset of the connection, or by silence. */
export function cut(one: Case, events: number, by: 'end' | 'reset' | 'stall'): Fault {
  const chunks = joined(eventsOf(one).slice(0, events))
  const more = by === 'end' ? {} : { [by]: chunks.length }
  const arrived = (one.plain.response.sse ?? []).slice(0, events).join('')
  return { name: `${by} behind ${events} events`, reply: { ...recorded(one.recording), chunks, ...more }, arrived }
}

/** Broken off behind so many bytes, which is nearly always inside an event; of a binary one no part can be read. */
export function cutInside(one: Case, bytes: number): Fault {
  const events = eventsOf(one)
  const come = Buffer.concat(events).subarray(0, bytes)
  const reply = { ...recorded(one.recording), chunks: joined([come]) }
  const isBinary = one.recording.response.base64 !== undefined
  const arrived = isBinary ? cut(one, wholeIn(events, bytes), 'end').arrived : come.toString()
  return { name: `end behind ${bytes} bytes`, reply, arrived }
}

/** How many events are whole within so many bytes. */
function wholeIn(events: readonly Uint8Array[], bytes: number): number {
  let left = bytes
  const broken = events.findIndex(({ length }) => (left -= length) < 0)
  return broken < 0 ? events.length : broken
}

/** One event is half an object. */
export function garbled(one: Case, at: number): Fault {
  const events = eventsOf(one)
  const [name = ''] = /^event:.*\n/m.exec(Buffer.from(events[at] ?? []).toString()) ?? []
  const half = new TextEncoder().encode(`${name}data: {"id":"\n\n`)
  const chunks = joined(events.with(at, half))
  return { name: `event ${at} garbled`, reply: { ...recorded(one.recording), chunks }, arrived: textOf(one.plain) }
}

/** Tools, long caches and tiers cost more than their tokens. */
const DEARER = /search|interpreter|image_generation|tokens_1h":\s*[1-9]|service_tier/

/** More places are not cut at once: each is a packet of its own. */
const MOST_PLACES = 60

/** Cut inside each character of several bytes and between carriage return and line feed. */
export function split(one: Case): Fault {
  const bytes = Buffer.concat(eventsOf(one))
  const all = [...bytes.keys()].filter((at) => isInside(bytes, at))
  const step = Math.ceil(all.length / MOST_PLACES)
  const places = [0, ...all.filter((_, index) => index % step === 0), bytes.length]
  const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place))
  const reply = { ...recorded(one.recording), chunks }
  return { name: `split at ${places.length - 2} places`, reply, arrived: textOf(one.plain), harmless: true }
}

/** Does a cut before this byte go through a character or through a line's end? */
const isInside = (bytes: Buffer, at: number): boolean =>
  ((bytes[at] ?? 0) & 0xc0) === 0x80 || (bytes[at] === 10 && bytes[at - 1] === 13)

/**
 * Plays a fault to the case's client, with a plain request; gives what was not right.
 * The rule: a client gets the whole answer or its error. What was refused costs nothing; what had come is charged by the
 * provider's report as far as it came, else by an estimate that is marked as one. Prices are one unit a token.
 */
export async function playFault(world: World, references: References, one: Case, fault: Fault): Promise<string[]> {
  const whole = await references.heard(one)
  const { client, model } = one
  world.answer(fault.reply)
  const heard = heardOf(client, await outcomeOf(client.ask(throughWeir(world), model, world.greeting(client), true)))
  const { row, paid } = await settled(world)
  const problems = [...lies(one, fault, whole, heard)]
  const tokens = promptIn(row) + row.completion_tokens
  const { estimated } = JSON.parse(row.other) as { estimated?: boolean }
  if (paid !== row.quota) problems.push(`${paid} paid, ${row.quota} logged`)
  if (row.type === 5) {
    if (paid !== 0) problems.push(`${paid} paid for a refusal`)
    if (heard.said) problems.push('logged as an error, read as an answer')
  } else {
    if (paid !== tokens && !DEARER.test(row.other)) problems.push(`${paid} paid for ${tokens} tokens`)
    const { text, calls } = whole.said ?? { text: '', calls: [] }
    const says = text !== '' || calls.length > 0
    if (heard.failed && says && row.completion_tokens === 0) problems.push('what had come was not counted')
    const usage = whole.said?.usage
    if (tokens > 0 && !estimated && !isReported(usage, row, fault))
      problems.push(`${tokens} tokens that nobody reported`)
  }
  return problems
}

/** Google's older models gave the same reason to finish with every piece: which one is the last, nobody can tell. */
const ENDS_OFTEN = new Set(['streaming-failure-recitation-no-content-91b322d6'])

const books = new WeakMap<World, { id: number; quota: number }>()

/** The row of the call that was just made, and what it cost; a client that could not read on has hung up before. */
async function settled(world: World): Promise<{ row: LogEntry; paid: number }> {
  const before = books.get(world) ?? { id: 0, quota: QUOTA }
  const row = await eventually(
    () => lastRow(world),
    (last) => last !== undefined && last.id !== before.id,
    30_000,
  )
  const { quota } = await world.ada.balances()
  books.set(world, { id: row.id, quota })
  return { row, paid: before.quota - quota }
}

/** What a client may not be given. */
function* lies(one: Case, { harmless }: Fault, whole: Heard, heard: Heard): Generator<string> {
  if (heard.failed) {
    if (harmless && whole.said && !isEmptySaying(whole.said)) yield `a whole answer failed: ${heard.failed.message}`
    return
  }
  if (!whole.said) return yield 'an answer out of a failure'
  const { usage: reported, sources, ...wanted } = one.client.able(whole.said)
  // Its own client reads the provider's bytes.
  const usage = reported && one.client !== one.own ? withParts(reported, one.recording) : reported
  const { usage: counted, sources: cited, ...got } = heard.said
  if (JSON.stringify(got) !== JSON.stringify(wanted) && (harmless || !ENDS_OFTEN.has(one.recording.id))) {
    yield `passed off as whole: ${JSON.stringify(got).slice(0, 300)} instead of ${JSON.stringify(wanted).slice(0, 300)}`
  }
  if (harmless && usage && JSON.stringify({ usage, sources }) !== JSON.stringify({ usage: counted, sources: cited })) {
    yield `usage or sources differ: ${JSON.stringify(counted)} instead of ${JSON.stringify(usage)}`
  }
}

/** More than a short request could have used is not believed (tokens). */
const BELIEVED = 30_000

/** All of a row's prompt: where its format counts the cache beside it, the row does so too (docs/billing.md, 11.3). */
export function promptIn({ prompt_tokens, other }: Pick<LogEntry, 'prompt_tokens' | 'other'>): number {
  const {
    claude,
    cache_tokens = 0,
    cache_creation_tokens = 0,
  } = JSON.parse(other) as Record<string, number | undefined>
  return claude ? prompt_tokens + cache_tokens + cache_creation_tokens : prompt_tokens
}

/** The provider's own figure, of its last report or of one on the way. */
function isReported(usage: Counted | undefined, row: LogEntry, { arrived }: Fault): boolean {
  if (usage?.prompt === promptIn(row) && usage.completion === row.completion_tokens) return true
  if (promptIn(row) >= BELIEVED) return true
  return new RegExp(`tokens":\\s*${row.completion_tokens}\\b|TokenCount":\\s*\\d`).test(arrived)
}

/** A few servers count more of a prompt's parts (read from a cache, sound) than they say the prompt has: no part shrinks. */
export function withParts(usage: Counted, recording: Recording): Counted {
  const text = Buffer.from(bytesOf(recording)).toString()
  const details = [...text.matchAll(/"prompt_tokens_details":\s*\{([^}]*)\}/g)]
    .map(([, members = '']) => members)
    .join()
  const most = (part: string) =>
    Math.max(0, ...[...details.matchAll(new RegExp(`"${part}_tokens":\\s*(\\d+)`, 'g'))].map(([, n]) => Number(n)))
  const [cached, audio] = [most('cached'), most('audio')]
  const prompt = Math.max(usage.prompt, cached, audio)
  return prompt === usage.prompt ? usage : { ...usage, prompt, cached }
}
