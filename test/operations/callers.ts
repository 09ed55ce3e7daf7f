// People who call a Weir again and again with OpenAI's own client, and what became of each call; and whether the books
// hold just that.
import { setTimeout as pause } from 'node:timers/promises'
import OpenAI from 'openai'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { addAccount, asRoot, logged } from '../support/built-server.ts'
import { MODEL, priceOf, rescueCall, toldIn, type RescueCall } from '../support/rescue-calls.ts'
import type { Visitor } from '../support/server.ts'
import { chatReply, chatStream, type Answerer } from '../support/upstream.ts'

/** One balance pays for all of it. */
export const QUOTA = 1_000_000_000
export const TOKEN = 'callers'

export interface Called {
  call: RescueCall
  /** Of the try that was answered. */
  request_id: string
  /** Where each try went, in order. */
  tries: string[]
  /** What the caller was told in the end, where it was not the whole answer. */
  problem?: string
}

export interface Callers {
  made: readonly Called[]
  /** Lets each finish the call that it has begun. */
  stop(): Promise<readonly Called[]>
}

const WORDS = (id: number) => ['You', ' are', ' call', ` ${id}`, '.']

/** Answers each call by its number; a stream takes about two seconds. */
export const answerCalls: Answerer = ({ json }) => {
  const call = toldIn(json)
  return call.stream
    ? chatStream(WORDS(call.id), call.usage, { gap_ms: 250 })
    : chatReply(WORDS(call.id).join(''), call.usage, { latency_ms: 150 })
}

/** A channel, prices and a rich user's token: gives its key. */
export async function preparePlace(root: Visitor, url: string, upstream: string): Promise<string> {
  const { client } = root
  const prices = JSON.stringify({ [MODEL]: 1 })
  await client.settings.update({ key: 'ModelRatio', value: prices })
  await client.settings.update({ key: 'CompletionRatio', value: prices })
  await client.channels.create({ name: 'c', type: 1, key: 'k', models: MODEL, base_url: upstream })
  const { visitor } = await addAccount(root, url, 'ada', QUOTA)
  const { key } = await visitor.client.tokens.create({ name: TOKEN, unlimited_quota: true })
  return `sk-${key}`
}

/** `at` says where each try goes; `retries` is what the client may do by itself; `from` is the number of the first call. */
export function startCallers(
  at: () => string,
  { key, atOnce, retries, from = 0 }: { key: string; atOnce: number; retries: number; from?: number },
): Callers {
  const made: Called[] = []
  let over = false
  let next = from
  const caller = async () => {
    while (!over) {
      const call = rescueCall(next++, Math.random)
      const tries: string[] = []
      const client = new OpenAI({
        apiKey: key,
        baseURL: 'http://weir.invalid/v1',
        maxRetries: retries,
        timeout: 60_000,
        fetch: (input, init) => {
          const place = at()
          tries.push(place)
          return fetch(String(input).replace('http://weir.invalid', place), init)
        },
      })
      const outcome = await ask(client, call).catch((error: unknown) => ({ request_id: '', problem: String(error) }))
      made.push({ call, tries, ...outcome })
      await pause(20)
    }
  }
  const all = Promise.all(Array.from({ length: atOnce }, caller))
  return {
    made,
    async stop() {
      over = true
      await all
      return made
    },
  }
}

async function ask(client: OpenAI, call: RescueCall): Promise<{ request_id: string; problem?: string }> {
  const messages = [{ role: 'user' as const, content: JSON.stringify(call) }]
  let text = ''
  let request_id: string
  if (call.stream) {
    const { data, response } = await client.chat.completions
      .create({ model: MODEL, messages, stream: true })
      .withResponse()
    request_id = response.headers.get('x-oneapi-request-id') ?? ''
    for await (const chunk of data) text += chunk.choices[0]?.delta.content ?? ''
  } else {
    const { data, response } = await client.chat.completions.create({ model: MODEL, messages }).withResponse()
    request_id = response.headers.get('x-oneapi-request-id') ?? ''
    text = data.choices[0]?.message.content ?? ''
  }
  return text === WORDS(call.id).join('') ? { request_id } : { request_id, problem: `it was told: ${text}` }
}

export const failedOf = (made: readonly Called[]): string[] =>
  made.flatMap(({ call, tries, problem }) =>
    problem === undefined
      ? []
      : [`call ${call.id} (${call.stream ? 'stream' : 'whole'}, ${tries.length} tries): ${problem}`],
  )

/**
 * What does not add up: each answered call has one row with its price, nothing else was charged, the balance is what is
 * left, the ledger holds and nothing is held any more.
 */
export async function wrongBooks(url: string, made: readonly Called[]): Promise<string[]> {
  const { client } = await asRoot(url)
  const rows = (await logged(client, TOKEN)).filter(({ type }) => type === CONSUMPTION)
  const { items } = await client.users.list({})
  const { quota } = items.find(({ username }) => username === 'ada')!
  const { ok, open_holds, faults } = await client.quota.verify()
  const charged = rows.reduce((sum, row) => sum + row.quota, 0)
  return [
    ...wrongRows(rows, made),
    ...(quota === QUOTA - charged ? [] : [`${quota} is left, but ${charged} of ${QUOTA} was charged`]),
    ...(ok ? [] : [`the ledger does not hold: ${JSON.stringify(faults)}`]),
    ...(open_holds === 0 ? [] : [`${open_holds} holds are open`]),
  ]
}

const CONSUMPTION = 2

function wrongRows(rows: readonly LogEntry[], made: readonly Called[]): string[] {
  const answered = new Map(made.filter(({ problem }) => problem === undefined).map((one) => [one.request_id, one.call]))
  const seen = new Set<string>()
  const wrong = rows.flatMap(({ request_id, quota }) => {
    const call = answered.get(request_id)
    if (seen.has(request_id)) return [`${request_id} is charged twice`]
    seen.add(request_id)
    if (call === undefined) return quota === 0 ? [] : [`${request_id} is charged ${quota}, and nobody was answered`]
    return quota === priceOf(call) ? [] : [`call ${call.id} costs ${priceOf(call)} and is charged ${quota}`]
  })
  return [...wrong, ...[...answered].flatMap(([id, call]) => (seen.has(id) ? [] : [`call ${call.id} is not charged`]))]
}
