// Small questions to a provider beside calls: which models it has, and what is left on the account.
import { fail, GatewayError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Upstream } from '../ports/upstream.ts'
import { jsonOf, type Web } from '../ports/web.ts'
import { providerOf } from '../providers/index.ts'
import type { Ask, Provider } from '../providers/provider.ts'
import type { KeyedChannel } from './channel.ts'
import { keyTexts } from './keys.ts'

interface Ports {
  upstream: Upstream
  clock: Clock
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 8 * 1024 * 1024

/** @throws GatewayError channel.balance_unsupported, upstream.* */
export async function balanceOf(channel: KeyedChannel, { upstream, clock }: Ports): Promise<number> {
  const provider = providerOf(channel.type)
  if (!provider?.balance) fail('channel.balance_unsupported')
  return provider.balance(askOf(channelWay(upstream), provider, channel), channel, new Date(clock.now()))
}

/** How an address is reached: gives the JSON there. */
type Way = (url: string, headers: Record<string, string>) => Promise<unknown>

/** Ids of the models that the provider lists, as calls name them. @throws GatewayError channel.fetch_models */
export async function listModels(channel: KeyedChannel, way: Way): Promise<string[]> {
  const provider = providerOf(channel.type)
  if (!provider?.models_path) fail('channel.fetch_models')
  const answer = await askOf(
    way,
    provider,
    channel,
  )(provider.models_path).catch((cause: unknown) => {
    if (cause instanceof GatewayError && cause.code === 'web.refused') throw cause
    return fail('channel.fetch_models', {}, { cause })
  })
  // OpenAI's shape, which most follow, or Google's.
  const { data, models = data } = (answer ?? {}) as { data?: unknown; models?: unknown }
  if (!Array.isArray(models)) fail('channel.fetch_models')
  const ids = models.flatMap(({ id, name }: { id?: unknown; name?: unknown }) => {
    const said = id ?? name
    return typeof said === 'string' ? [said.replace(/^models\//, '')] : []
  })
  return [...new Set(ids)]
}

/** The channel's first key is asked with, at its own address or the provider's. */
function askOf(way: Way, provider: Provider, channel: KeyedChannel): Ask {
  const base = (channel.base_url || provider.base_url).replace(/\/+$/, '')
  if (base === '') fail('channel.base_url')
  const headers = provider.authorize({ ...channel, key: keyTexts(channel)[0] ?? '' })
  return async (path) => {
    const version = /^\/v\d[^/]*/.exec(path)?.[0]
    const url = version && base.endsWith(version) ? base + path.slice(version.length) : base + path
    return way(url, headers)
  }
}

/** The address of a channel that an administrator has saved: it may be a private one. */
export const channelWay =
  (upstream: Upstream): Way =>
  async (url, headers) => {
    const limits = { headers_timeout_ms: TIMEOUT_MS, idle_timeout_ms: TIMEOUT_MS }
    const reply = await upstream.send({ method: 'GET', url, headers, ...limits }, AbortSignal.timeout(TIMEOUT_MS))
    if (reply.status < 200 || reply.status > 299) fail('upstream.refused', { status: reply.status })
    return parsed(await whole(reply.body))
  }

/** Any other address: guarded. */
export const guardedWay =
  (web: Web): Way =>
  async (url, headers) => {
    const reply = await web.send({ method: 'GET', url, headers, timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES })
    if (reply.status < 200 || reply.status > 299) fail('upstream.refused', { status: reply.status })
    return jsonOf(reply) ?? fail('upstream.unreadable')
  }

async function whole(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const run of body) {
    size += run.length
    if (size > MAX_BYTES) fail('upstream.unreadable')
    text += decoder.decode(run, { stream: true })
  }
  return text + decoder.decode()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return fail('upstream.unreadable')
  }
}
