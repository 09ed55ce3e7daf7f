// Counts the tokens of a prompt for callers who ask: by the provider, else by Weir. Never charged, but admitted and
// limited like a call.
import type { RoutedChannel } from '../channels/routed-channel.ts'
import { getUpstreamModel, isPassThrough, getUpstreamModelName } from '../channels/routed-channel.ts'
import type { ChannelIndex, ChannelTiers } from '../channels/channel-index.ts'
import { CHANNEL_STATUS } from '../channels/channel.ts'
import type { Dialect, ProviderDialect } from '../dialects/dialect.ts'
import { joinParts } from '../dialects/json/json-bytes.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import { fail } from '../errors.ts'
import type { RefusedCallLog } from '../logs/refusals.ts'
import type { Clock } from '../ports/clock.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import type { RequestSigner } from '../ports/signer.ts'
import type { UpstreamClient } from '../ports/upstream.ts'
import type { CallLedger } from '../quota/ledger.ts'
import { findProvider } from '../providers/index.ts'
import type { CountEndpoint } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import { admitCall } from './admission.ts'
import { readWholeBody } from './answers/read-body.ts'
import type { ResponseChain } from './answers/stored-responses.ts'
import { countPrompt } from './measure.ts'
import { type ModelCandidate, toCanonicalCandidate } from './model-candidates.ts'
import { authorizeRequest, prepareUpstreamRequest } from './upstream-request.ts'
import { buildCountRow, holdForCount } from './count-hold.ts'
import type { Call } from './call.ts'
import { AttemptError, removeChannelKeys, reportRefusedCall } from './failure.ts'
import { placeObjectCall } from './objects/call-objects.ts'
import type { ObjectOwners } from './objects/object-owners.ts'

interface PromptCountPorts {
  upstream: UpstreamClient
  signer: RequestSigner
  clock: Clock
  channels: ChannelIndex
  ledger: CallLedger
  owners: Pick<ObjectOwners, 'admit'>
  responseChain: Pick<ResponseChain, 'resume' | 'place'>
  refusals: Pick<RefusedCallLog, 'note'>
  tokenizer?: Tokenizer
  settings(): Settings
}

/** The count in the caller's format. `estimated`: no provider counted. */
export interface PromptCount {
  body: Uint8Array
  estimated: boolean
}

/**
 * @throws GatewayError any refusal of a call to that model, including its limits and an empty balance, or of a request
 * that cannot be parsed; AttemptError if the provider rejects the request
 */
export type CountPrompt = (call: Call) => Promise<PromptCount>

const MAX_ANSWER_BYTES = 64 * 1024

export function createPromptCounter(ports: PromptCountPorts): CountPrompt {
  return async (given) => {
    const { inbound } = given
    if (inbound.operation !== 'chat' || !inbound.count) return fail('channel.wrong_operation')
    const settings = ports.settings()
    const { call, head, turn, hold } = await admitCount(given, settings, ports)
    try {
      const counted = await countAtProvider(call, turn, ports, settings)
      const found = counted ? { body: counted, estimated: false } : await countHere(call, head, ports)
      const counts = { head: turn.head, group: turn.admission.group, tokens: inbound.count.read(found.body) }
      const row = settings.LogConsumeEnabled ? buildCountRow(call, { ...counts, now: ports.clock.now() }) : undefined
      await ports.ledger.release(hold, row)
      return found
    } finally {
      // A failed count ends its hold here; ending it a second time does nothing.
      await ports.ledger.release(hold)
    }
  }
}

/** Admits a count like a call, and counts it in the limits. A refusal is reported. */
async function admitCount(given: Call, settings: Settings, ports: PromptCountPorts) {
  const { inbound } = given
  let read: RequestHead | undefined
  try {
    read = inbound.readRequestHead(given.body, given.place)
    const resumed = await ports.responseChain.resume(given, read)
    const { call, head } = resumed
    const nowSeconds = Math.floor(call.started_at / 1000)
    const surroundings = { settings, channels: ports.channels, nowSeconds, callerDialect: inbound }
    const first = toCanonicalCandidate(head, admitCall(call.caller, head, call.pin, surroundings))
    const placed = ports.responseChain.place(resumed, first, settings)
    const { turn } = await placeObjectCall(ports.owners, { call, head }, placed, settings)
    return { call, head, turn, hold: await holdForCount(ports.ledger, call, turn, settings) }
  } catch (error) {
    reportRefusedCall(ports.refusals, given, read, error)
    throw error
  }
}

async function countHere(
  { inbound, body, place }: Call,
  head: RequestHead,
  { tokenizer }: PromptCountPorts,
): Promise<PromptCount> {
  if (inbound.operation !== 'chat' || !inbound.count) return fail('channel.wrong_operation')
  const tokens = tokenizer ? await countPrompt(inbound.readModelRequest(body, place), tokenizer) : head.prompt_estimate
  return { body: inbound.count.write(tokens), estimated: true }
}

/** Calls the first channel whose provider counts tokens, preferably in the caller's format; undefined if none does. */
async function countAtProvider(
  call: Call,
  { head, admission: { candidates: tiers, listedName } }: ModelCandidate,
  ports: PromptCountPorts,
  settings: Settings,
): Promise<Uint8Array | undefined> {
  const { inbound: dialect, body, place, headers } = call
  const found =
    findCountingChannel(tiers, listedName, (endpoint) => endpoint.dialect === dialect) ??
    findCountingChannel(tiers, listedName, (endpoint) => !endpoint.own_format_only)
  const providerDialect = found?.endpoint.dialect
  if (!found || dialect.operation !== 'chat' || providerDialect?.operation !== 'chat') return undefined
  const { channel, provider, endpoint } = found
  const callerRequest = { dialect, head, body, ...(place ? { place } : {}), ...(headers ? { headers } : {}) }
  // The channel's additions to calls do not belong in a count.
  const plain = { ...channel, override: {}, settings: { ...channel.settings, system_prompt: '' } }
  const target = {
    provider,
    endpoint,
    model: getUpstreamModel(channel, listedName, head, settings),
    plain: isPassThrough(channel, settings),
  }
  const { request, upstream_model } = prepareUpstreamRequest(callerRequest, plain, target, settings)
  const same = providerDialect === dialect
  const question =
    same || !request.body
      ? request
      : { ...request, body: providerDialect.count?.ask(joinParts(request.body), upstream_model) }
  const authorized = await authorizeRequest(question, plain, provider, endpoint, ports.signer)
  const reply = await ports.upstream.send(authorized, call.signal).catch(() => undefined)
  const answer = reply && (await readWholeBody(reply.body, MAX_ANSWER_BYTES).catch(() => undefined))
  if (!reply || !answer) return undefined
  if (reply.status >= 200 && reply.status <= 299)
    return same ? answer : translateCount(answer, providerDialect, dialect)
  // Errors in the caller's own request are reported; after any other error Weir counts itself.
  if (!same || (reply.status !== 400 && reply.status !== 413)) return undefined
  throw new AttemptError(removeChannelKeys(dialect.readErrorReply(reply.status, answer), channel.key))
}

/** Writes a count in another format. */
function translateCount(answer: Uint8Array, from: ProviderDialect, to: Dialect): Uint8Array | undefined {
  const tokens = from.count?.read(answer)
  return tokens === undefined ? undefined : to.count?.write(tokens)
}

function findCountingChannel(tiers: ChannelTiers, listedName: string, counts: (endpoint: CountEndpoint) => boolean) {
  for (const { channels } of tiers) {
    for (const candidate of channels) {
      const provider = findProvider(candidate.type)
      const endpoint = provider?.count
      const key = candidate.keys.find(({ on }) => on)
      if (!provider || !endpoint || !counts(endpoint) || !key || candidate.status !== CHANNEL_STATUS.enabled) continue
      const channel: RoutedChannel = key.channel
      if (endpoint.serves?.(getUpstreamModelName(listedName, channel.mapping), channel) ?? true)
        return { channel, provider, endpoint }
    }
  }
  return undefined
}
