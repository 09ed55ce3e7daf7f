// The models of a call: the one asked for, and those to fall back on when every channel of it has failed.
import type { ChannelIndex } from '../channels/channel-index.ts'
import { upstreamModel } from '../channels/mapping.ts'
import type { RequestHead } from '../dialects/head.ts'
import { type ErrorCode, GatewayError } from '../errors.ts'
import { callGroup } from '../groups/group.ts'
import { findModelFacts, getModelKind, findReleaseDay } from '../models/model-facts.ts'
import type { Operation } from '../models/operation.ts'
import { modelNameFor, sameModels } from '../models/same-model.ts'
import { endedOn } from '../providers/ended.ts'
import { findProvider } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import { parseList, type Token } from '../tokens/token.ts'
import { type Admission, admit, type ChannelLookup, findCallGroup } from './admission.ts'
import type { Call, CallCaller } from './call.ts'
import { checkPricedWords } from './price-words.ts'

/** A model that a call may be answered by, admitted. */
export interface ModelCandidate {
  head: RequestHead
  admission: Admission
}

/** The head with the one name of its model, whichever was asked for. */
export const toTurn = (head: RequestHead, admission: Admission): ModelCandidate => ({
  head: admission.model === head.model ? head : { ...head, model: admission.model, asked: head.model },
  admission,
})

/** No channel serves the model, or none such calls of it. */
const UNSERVED = new Set<ErrorCode>(['model.missing', 'model.no_channel', 'channel.wrong_operation'])

export const isUnserved = ({ code }: GatewayError): boolean => UNSERVED.has(code)

/** More are ignored: each may take as many attempts as the model asked for. */
const MAX_FALLBACKS = 5

/**
 * The token's own list where it has one, else the group's; without the model itself.
 * @param model the name that channels list; the group's list may stand under another of its names
 */
export function fallbackModels(
  model: string,
  group: string,
  token: Pick<Token, 'fallback_models'> | null,
  { FallbackModels }: Pick<Settings, 'FallbackModels'>,
): string[] {
  const own = token && token.fallback_models !== '' ? parseList(token.fallback_models) : []
  if (own.length > 0) return own.filter((name) => name !== model).slice(0, MAX_FALLBACKS)
  const models = Object.hasOwn(FallbackModels, group) ? FallbackModels[group] : undefined
  const key = !models || Object.hasOwn(models, model) ? model : sameModels(model, Object.keys(models))[0]
  const names = (key !== undefined && models?.[key]) || []
  return names.filter((name) => name !== model).slice(0, MAX_FALLBACKS)
}

/**
 * The models of a call, one at a time. A fallback that this caller may not use, that no channel serves, that has no
 * price, does not know a word that its price depends on, or is a model before it under another name is passed over; a channel that was asked for by name, or an earlier answer, has none.
 */
export class FallbackChain {
  private readonly call: Call
  private readonly head: RequestHead
  private readonly channels: ChannelLookup
  private readonly settings: Settings
  private left: string[] | undefined
  /** The names that the models so far are listed by. */
  private readonly begun = new Set<string>()

  constructor(call: Call, head: RequestHead, channels: ChannelLookup, settings: Settings) {
    this.call = call
    this.head = head
    this.channels = channels
    this.settings = settings
  }

  /** @throws GatewayError what refuses the model asked for, where no fallback helps */
  first(): ModelCandidate {
    try {
      return this.admitted(this.head)
    } catch (refusal) {
      // Any other refusal is about the caller, and holds for every model.
      const turn = refusal instanceof GatewayError && isUnserved(refusal) ? this.next() : undefined
      if (turn) return turn
      throw refusal
    }
  }

  /** Undefined when there is none left. */
  next(): ModelCandidate | undefined {
    this.left ??= this.fallbacks()
    for (let model = this.left.shift(); model !== undefined; model = this.left.shift()) {
      try {
        const before = this.begun.size
        const turn = this.admitted({ ...this.head, model })
        if (this.begun.size > before) return turn
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
      }
    }
    return undefined
  }

  private admitted(head: RequestHead): ModelCandidate {
    const { call, channels, settings } = this
    const nowSeconds = Math.floor(call.started_at / 1000)
    const admission = admit(call.caller, head, call.pin, { settings, channels, nowSeconds, asked: call.inbound })
    checkPricedWords(head.words, admission.price)
    const turn = toTurn(head, admission)
    this.begun.add(turn.head.model)
    return turn
  }

  private fallbacks(): string[] {
    const { caller, pin } = this.call
    const { model, continues } = this.head
    if (pin !== undefined || continues) return []
    const group = findCallGroup(caller, this.settings)
    const name = modelNameFor(model, this.channels.listedName(group, model) ?? model)
    return fallbackModels(name, group, caller.token, this.settings)
  }
}

// Which models a token's owner sees at the relay's model list, and what is known of each.

export interface ListedModel {
  id: string
  owned_by: string
  /** What is asked of it. */
  kind: Operation
  /** The day of its release, as `2025-11-24`; empty where it is not known. */
  released: string
  /** Most of prompt and answer together, and of one answer; missing where they are not known. Unit: tokens. */
  context?: number
  output?: number
  /** The day on which its vendor ended it, as `2026-09-24`; missing where it has not. */
  ended?: string
}

/**
 * The models of the token's limits, or of its group; sorted by name (docs/relay.md, 14).
 * @throws GatewayError group.disabled, group.retired
 */
export function visibleModels(caller: CallCaller, channels: ChannelIndex, settings: Settings): ListedModel[] {
  const { token, user } = caller
  const group = callGroup(user.group, token?.group ?? '', settings)
  const names = token?.model_limits_enabled ? parseList(token.model_limits).sort() : channels.models([group])
  const facts = settings['models.facts']
  return names.map((id) => {
    const channel = channels.candidates(group, id)[0]
    const { context = 0, output = 0 } = findModelFacts(id, facts) ?? {}
    const ended = channel && endedOn(channel.type, upstreamModel(id, channel.mapping))
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

/** The one of the name, or of another name of the same model. */
export function findModel(id: string, models: readonly ListedModel[]): ListedModel | undefined {
  const names = models.map((model) => model.id)
  const found = names.includes(id) ? id : sameModels(id, names)[0]
  return models.find((model) => model.id === found)
}
