// Selects the kind of channel that serves a recording to a client, on one gateway with a channel of every needed kind.
import type { Dialect } from '../../core/dialects/dialect.ts'
import { findProvider } from '../../core/providers/index.ts'
import { findCallEndpoint } from '../../core/providers/provider.ts'
import type { Caller } from '../support/caller.ts'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { serviceAccount } from '../support/service-account.ts'
import type { TestReply } from '../support/upstream.ts'
import type { Client } from './saying.ts'

/** Channel types by the names of the recordings' providers; whoever has none is asked as a compatible gateway. */
const TYPES: Readonly<Record<string, number>> = {
  openai: 1,
  azure: 3,
  ollama: 4,
  anthropic: 14,
  alibaba: 17,
  openrouter: 20,
  google: 24,
  zai: 26,
  perplexity: 27,
  'amazon-bedrock': 33,
  'amazon-bedrock-mantle': 33,
  cohere: 34,
  cloudflare: 39,
  'google-vertex': 41,
  mistral: 42,
  deepseek: 43,
  xai: 48,
  groq: 1001,
  together: 1002,
  cerebras: 1004,
  huggingface: 1005,
  'vercel-gateway': 1006,
  venice: 1007,
  voyage: 1008,
  databricks: 1009,
  snowflake: 1010,
  lmstudio: 1013,
  'llama.cpp': 1014,
}

export const COMPATIBLE = 1
/** The channel type of a recording's provider. */
export const typeOf = (provider: string): number => TYPES[provider] ?? COMPATIBLE
/** Asked in chat alone, whatever its caller speaks. */
const CUSTOM = 8

/** Models of which a provider's door for a format may be sure. */
const NAMES: Readonly<Record<string, string>> = {
  'openai-responses': 'codex-recorded',
  'anthropic-messages': 'claude-sonnet-4-0',
  'gemini-generate': 'gemini-2.5-flash',
}

export interface Place {
  type: number
  /** The provider's name for the model. */
  model: string
}

/**
 * A channel that asks in the recorded format when a client of another one calls: of the provider's own type, else of
 * another that does. Undefined where there is none.
 */
export function placeFor(provider: string, model: string, recorded: Dialect, caller: Dialect): Place | undefined {
  const named = NAMES[recorded.name] ?? model
  return [typeOf(provider), COMPATIBLE, CUSTOM, 14, 24]
    .flatMap((type) => [model, named].map((name) => ({ type, model: name })))
    .find((place) => spokenAt(place, caller) === recorded.name)
}

/** The format in which a channel type asks for a model (the caller's own, else the first). */
function spokenAt({ type, model }: Place, caller: Dialect): string | undefined {
  const provider = findProvider(type)
  const head = { model, stream: false, include_usage: false, prompt_estimate: 1 }
  return provider && findCallEndpoint(provider, caller, model, { key: '' }, head)?.dialect.name
}

/** The name under which callers ask for it: two channels may know a model by one name. */
export const nameOf = ({ type, model }: Place): string => `via-${type}-${model}`

export interface World {
  weir: TestGateway
  ada: Caller
  /** Has the upstream answer this caller; some providers are asked for an access token first. */
  answer(reply: TestReply): void
  /** A plain request of this caller, by which the upstream knows it. */
  greeting(client: Client): object
  /** Another caller at the same gateway, who may ask at the same time. */
  another(): Promise<World>
  close(): Promise<void>
}

/** Of each caller. */
export const QUOTA = 1_000_000_000_000
const NOTHING: TestReply = { status: 500, body: { error: { message: 'nothing was told' } } }

/** One gateway with a channel of each type, behind which the test's upstream stands. */
export async function openWorld(places: readonly Place[]): Promise<World> {
  const weir = await openTestGateway()
  // Every token costs one unit, so that a charge can be read.
  const ratios = JSON.stringify(Object.fromEntries(places.map((place) => [nameOf(place), 1])))
  const settings = {
    SelfUseModeEnabled: true,
    // Recorded requests name objects that nobody got here.
    'objects.one_tenant': true,
    RetryTimes: 0,
    AutomaticDisableChannelEnabled: false,
    ModelRatio: ratios,
    CompletionRatio: ratios,
    CacheRatio: ratios,
    CreateCacheRatio: ratios,
  }
  for (const [key, value] of Object.entries(settings)) await weir.set(key, value)
  const account = await serviceAccount(`${weir.upstream.url}/token`)
  const special: Record<number, object> = {
    8: { base_url: `${weir.upstream.url}/v1/chat/completions` },
    33: { key: 'AKID|a secret key|us-east-1' },
    39: { other: 'account' },
    41: { other: 'global', key: account },
  }
  for (const type of new Set(places.map((place) => place.type))) {
    const here = places.filter((place) => place.type === type)
    const model_mapping = JSON.stringify(Object.fromEntries(here.map((place) => [nameOf(place), place.model])))
    const models = [...new Set(here.map(nameOf))].join(',')
    await weir.addChannel({ type, models, model_mapping, ...special[type] })
  }
  const replies: TestReply[] = []
  const token = { body: { access_token: 'a token', expires_in: 3600 } }
  weir.upstream.reply(({ path, body }) => {
    const [, number = 0] = /caller no. (\d+)/.exec(Buffer.from(body).toString()) ?? []
    return path === '/token' ? token : replies[Number(number)]!
  })

  async function open(): Promise<World> {
    const number = replies.push(NOTHING) - 1
    return {
      weir,
      ada: await weir.addCaller({ quota: QUOTA }),
      answer: (reply) => void (replies[number] = reply),
      greeting: ({ plain }) =>
        JSON.parse(JSON.stringify(plain).replace('Hello', `Hello from caller no. ${number}`)) as object,
      another: open,
      close: () => weir.close(),
    }
  }
  return open()
}
