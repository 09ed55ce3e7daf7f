// The models of a call: the requested one, and the fallbacks if every channel of it has failed; and the request words that
// the price of a model depends on.
import type { ChannelIndex } from '../channels/channel-index.ts'
import { getUpstreamModelName } from '../channels/routed-channel.ts'
import { changeTopMembers, parseJsonRange, scanObjectMembers, toJsonBytes } from '../dialects/json/json-bytes.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import type { PriceWord } from '../dialects/requests/price-words.ts'
import { type ErrorCode, fail, GatewayError } from '../errors.ts'
import { getCallGroup } from '../groups/group.ts'
import { findModelFacts, findReleaseDay, getModelKind } from '../models/model-facts.ts'
import type { Operation } from '../models/operation.ts'
import { listSameModels, chooseModelName } from '../models/same-model.ts'
import type { Price } from '../pricing/price.ts'
import { readWordByPrice } from '../pricing/priced-words.ts'
import { findEndDay } from '../providers/ended.ts'
import { findProvider } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import { parseSeparatedList, type Token } from '../tokens/token.ts'
import { type Admission, admitCall, type ChannelLookup, findCallGroup } from './admission.ts'
import type { Call, CallCaller } from './call.ts'

// Trims and lowers the request words that the price depends on, so that they are priced and sent in one form. Refuses
// words that the price does not know. Other words stay unchanged.

type RequestedPriceWords = readonly PriceWord[] | undefined

/** @throws GatewayError request.invalid for a word that the price does not know, or that is not text */
export function checkPricedWords(words: RequestedPriceWords, price: Price): void {
  for (const word of words ?? []) getPricedForm(word, price)
}

/**
 * Returns the body with its words in the priced form; the same body if nothing changes. A member that occurs twice gets
 * the same word both times.
 * @throws GatewayError request.invalid
 */
export function withPricedWords(body: Uint8Array, words: RequestedPriceWords, price: Price): Uint8Array {
  if (!words) return body
  const forms = new Map<string, string | null>()
  for (const word of words) {
    const form = getPricedForm(word, price)
    if (form !== undefined) forms.set(word.member, form)
  }
  if (forms.size === 0) return body
  const object = scanObjectMembers(body)
  const isInForm = object.members.every(
    ({ key, ...range }) => !forms.has(key) || parseJsonRange(body, range) === forms.get(key),
  )
  if (isInForm) return body
  const changes = new Map([...forms].map(([member, form]) => [member, toJsonBytes(form)]))
  return changeTopMembers(body, changes, object)
}

function getPricedForm(word: PriceWord, price: Price): string | null | undefined {
  const read = readWordByPrice(word, price)
  if ('word' in read) return read.word
  const { member } = word
  return fail('request.invalid', { param: member, reason: `${member} must be one of ${read.allowed.join(', ')}` })
}

/** An admitted model that may answer a call. */
export interface ModelCandidate {
  head: RequestHead
  admission: Admission
}

/** Writes the canonical model name into the head. */
export const toCanonicalCandidate = (head: RequestHead, admission: Admission): ModelCandidate => ({
  head: admission.model === head.model ? head : { ...head, model: admission.model, requestedModel: head.model },
  admission,
})

/** Errors of a model that no channel serves, or not for this operation. */
const UNSERVED = new Set<ErrorCode>([
  'model.missing',
  'model.no_channel',
  'channel.wrong_operation',
  'request.prompt_too_long',
])

export const isUnserved = ({ code }: GatewayError): boolean => UNSERVED.has(code)

/** Further fallbacks are ignored: each may take as many attempts as the requested model. */
const MAX_FALLBACKS = 5

/**
 * Returns the token's own list if it has one, else the group's; without the model itself.
 * @param model the name that channels list; the group's list may use an alias
 */
export function listFallbackModels(
  model: string,
  group: string,
  token: Pick<Token, 'fallback_models'> | null,
  { FallbackModels }: Pick<Settings, 'FallbackModels'>,
): string[] {
  const own = token && token.fallback_models !== '' ? parseSeparatedList(token.fallback_models) : []
  if (own.length > 0) return own.filter((name) => name !== model).slice(0, MAX_FALLBACKS)
  const models = Object.hasOwn(FallbackModels, group) ? FallbackModels[group] : undefined
  const key = !models || Object.hasOwn(models, model) ? model : listSameModels(model, Object.keys(models))[0]
  const names = (key !== undefined && models?.[key]) || []
  return names.filter((name) => name !== model).slice(0, MAX_FALLBACKS)
}

/**
 * Yields the models of a call, one at a time. Skips a fallback that the caller may not use, that no channel serves,
 * that has no price or does not know a word that its price depends on, or that is an alias of an earlier one. A pinned
 * channel or a continued answer has no fallbacks.
 */
export class FallbackChain {
  private readonly call: Call
  private readonly head: RequestHead
  private readonly channels: ChannelLookup
  private readonly settings: Settings
  private remaining: string[] | undefined
  /** Listed names of the models so far. */
  private readonly used = new Set<string>()

  constructor(call: Call, head: RequestHead, channels: ChannelLookup, settings: Settings) {
    this.call = call
    this.head = head
    this.channels = channels
    this.settings = settings
  }

  /** @throws GatewayError the refusal of the requested model, if no fallback helps */
  first(): ModelCandidate {
    try {
      return this.admitModel(this.head)
    } catch (refusal) {
      // Any other refusal concerns the caller, and applies to every model.
      const turn = refusal instanceof GatewayError && isUnserved(refusal) ? this.next() : undefined
      if (turn) return turn
      throw refusal
    }
  }

  /** Returns undefined if no model remains. */
  next(): ModelCandidate | undefined {
    this.remaining ??= this.listFallbacks()
    for (let model = this.remaining.shift(); model !== undefined; model = this.remaining.shift()) {
      try {
        const before = this.used.size
        const turn = this.admitModel({ ...this.head, model })
        if (this.used.size > before) return turn
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
      }
    }
    return undefined
  }

  private admitModel(head: RequestHead): ModelCandidate {
    const { call, channels, settings } = this
    const nowSeconds = Math.floor(call.started_at / 1000)
    const admission = admitCall(call.caller, head, call.pin, {
      settings,
      channels,
      nowSeconds,
      callerDialect: call.inbound,
    })
    checkPricedWords(head.words, admission.price)
    const turn = toCanonicalCandidate(head, admission)
    this.used.add(turn.head.model)
    return turn
  }

  private listFallbacks(): string[] {
    const { caller, pin } = this.call
    const { model, continues } = this.head
    if (pin !== undefined || continues) return []
    const group = findCallGroup(caller, this.settings)
    const name = chooseModelName(model, this.channels.listedName(group, model) ?? model)
    return listFallbackModels(name, group, caller.token, this.settings)
  }
}

// The model list of a token, with the facts about each model.

export interface ListedModel {
  id: string
  owned_by: string
  /** The operation that the model serves. */
  kind: Operation
  /** Release day, as `2025-11-24`; empty if unknown. */
  released: string
  /** Maximum tokens of prompt and answer together, and of one answer; undefined if unknown. */
  context?: number
  output?: number
  /** Day on which its vendor retired it, as `2026-09-24`; undefined if not retired. */
  ended?: string
}

/**
 * Returns the models of the token's limits, or of its group, sorted by name (docs/relay.md, 14).
 * @throws GatewayError group.disabled, group.retired
 */
export function listVisibleModels(caller: CallCaller, channels: ChannelIndex, settings: Settings): ListedModel[] {
  const { token, user } = caller
  const group = getCallGroup(user.group, token?.group ?? '', settings)
  const names = token?.model_limits_enabled ? parseSeparatedList(token.model_limits).sort() : channels.models([group])
  const facts = settings['models.facts']
  return names.map((id) => {
    const channel = channels.candidates(group, id)[0]
    const { context = 0, output = 0 } = findModelFacts(id, facts) ?? {}
    const ended = channel && findEndDay(channel.type, getUpstreamModelName(id, channel.mapping))
    return {
      id,
      owned_by: (channel && findProvider(channel.type)?.id) ?? 'custom',
      kind: getModelKind(id, facts),
      released: findReleaseDay(id),
      ...(context > 0 ? { context } : {}),
      ...(output > 0 ? { output } : {}),
      ...(ended ? { ended } : {}),
    }
  })
}

/** Finds the model with that name, or else one with an alias of it. */
export function findModel(id: string, models: readonly ListedModel[]): ListedModel | undefined {
  const names = models.map((model) => model.id)
  const found = names.includes(id) ? id : listSameModels(id, names)[0]
  return models.find((model) => model.id === found)
}
