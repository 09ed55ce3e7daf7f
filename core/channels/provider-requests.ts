// Requests to a provider other than calls: its list of models, and the balance of the account.
import { fail } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { RequestSigner } from '../ports/signer.ts'
import type { UpstreamClient } from '../ports/upstream.ts'
import { getBaseUrl, joinProviderPath } from '../providers/address.ts'
import type { ChannelForProvider } from '../providers/channel-for-provider.ts'
import { findProvider } from '../providers/index.ts'
import type { FetchJson, Provider } from '../providers/provider.ts'
import { requiresAddressCheck, parseJsonObjectText, type ChannelWithKey } from './channel.ts'
import { listKeyTexts } from './keys.ts'
import { parseJson } from '../dialects/json/json-value.ts'

interface ProviderRequestsPorts {
  upstream: UpstreamClient
  signer: RequestSigner
  clock: Clock
}

/** The fields of a channel that such a request needs. */
export type ChannelAccount = ChannelForProvider & Pick<ChannelWithKey, 'type' | 'key_mode' | 'address_by'>

const TIMEOUT_MS = 15_000
const MAX_BYTES = 8 * 1024 * 1024

/** @throws GatewayError channel.balance_unsupported, upstream.* */
export async function fetchBalance(
  channel: ChannelAccount,
  { upstream, signer, clock }: ProviderRequestsPorts,
): Promise<number> {
  const provider = findProvider(channel.type)
  if (!provider?.balance) fail('channel.balance_unsupported')
  return provider.balance(
    createChannelJson(createChannelFetch(upstream, channel), provider, channel, signer),
    channel,
    new Date(clock.now()),
  )
}

/** How an address is reached: gives the JSON there. */
type FetchAddress = (url: string, headers: Record<string, string>) => Promise<unknown>

/** Fetches the ids of the provider's models, in the spelling that calls use. @throws GatewayError channel.fetch_models */
export async function listProviderModels(
  channel: ChannelAccount,
  way: FetchAddress,
  signer: RequestSigner,
): Promise<string[]> {
  const provider = findProvider(channel.type)
  if (!provider?.models_path) fail('channel.fetch_models')
  const path = provider.models_path
  const ask = createChannelJson(way, provider, channel, signer)
  const answer = await ask(
    typeof path === 'function' ? path({ base: getBaseUrl(provider, channel), channel }) : path,
  ).catch((cause: unknown) => fail('channel.fetch_models', {}, { cause }))
  return parseModelNames(answer) ?? fail('channel.fetch_models')
}

/** OpenAI's list, which most follow, and those of Google, Cohere, Cloudflare and Bedrock. */
function parseModelNames(answer: unknown): string[] | undefined {
  const { data, models, result, modelSummaries } = (answer ?? {}) as Record<string, unknown>
  const named = (list: unknown, key: string) =>
    Array.isArray(list) ? list.map((each) => (each as Record<string, unknown> | null)?.[key]) : undefined
  const found = named(data, 'id') ?? named(models ?? result, 'name') ?? named(modelSummaries, 'modelId')
  const names = found?.flatMap((name) => (typeof name === 'string' ? [name.replace(/^models\//, '')] : []))
  return names && [...new Set(names)]
}

/** Creates the fetch with the channel's first key, at its own address or the provider's. */
function createChannelJson(
  way: FetchAddress,
  provider: Provider,
  channel: ChannelAccount,
  signer: RequestSigner,
): FetchJson {
  if (getBaseUrl(provider, channel) === '') fail('channel.base_url')
  const singleKeyed = { ...channel, key: listKeyTexts(channel)[0] ?? '' }
  return async (path, headers) => {
    const url = /^https?:/.test(path) ? path : joinProviderPath(provider, channel, path)
    return way(
      url,
      headers ??
        (await provider.authorize(
          singleKeyed,
          { method: 'GET', url, headers: {}, ...networkWay(channel) },
          { signer },
        )),
    )
  }
}

/** The proxy of a channel, and whether its requests are guarded: as its calls go. */
function networkWay(channel: Pick<ChannelAccount, 'setting' | 'address_by'>): { proxy?: string; guarded: boolean } {
  const { proxy } = parseJsonObjectText(channel.setting)
  return { guarded: requiresAddressCheck(channel), ...(typeof proxy === 'string' && proxy !== '' ? { proxy } : {}) }
}

/** Reads an address of a channel in the way that its calls go. */
export const createChannelFetch =
  (upstream: UpstreamClient, channel: Pick<ChannelAccount, 'setting' | 'address_by'>): FetchAddress =>
  async (url, headers) => {
    const limits = { headers_timeout_ms: TIMEOUT_MS, idle_timeout_ms: TIMEOUT_MS }
    const reply = await upstream.send(
      { method: 'GET', url, headers, ...networkWay(channel), ...limits },
      AbortSignal.timeout(TIMEOUT_MS),
    )
    if (reply.status < 200 || reply.status > 299) fail('upstream.refused', { status: reply.status })
    return parsed(await whole(reply.body))
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

const parsed = (text: string): unknown => parseJson(text) ?? fail('upstream.unreadable')
