// The models of a call: the one asked for, and those to fall back on when every channel of it has failed.
import type { RequestHead } from '../dialects/head.ts'
import { GatewayError, type ErrorCode } from '../errors.ts'
import { callGroup } from '../groups/group.ts'
import type { Settings } from '../settings/index.ts'
import { listOf, type Token } from '../tokens/token.ts'
import { admit, type Admission, type Serving } from './admission.ts'
import type { Call } from './call.ts'

/** A model that a call may be answered by, admitted. */
export interface Turn {
  head: RequestHead
  admission: Admission
}

/** No channel serves the model, or none such calls of it. */
const UNSERVED = new Set<ErrorCode>(['model.missing', 'model.no_channel', 'channel.wrong_operation'])

export const isUnserved = ({ code }: GatewayError): boolean => UNSERVED.has(code)

/** More are ignored: each may take as many attempts as the model asked for. */
const MAX_FALLBACKS = 5

/** The token's own list where it has one, else the group's; without the model itself. */
export function fallbackModels(
  model: string,
  group: string,
  token: Pick<Token, 'fallback_models'> | null,
  { FallbackModels }: Pick<Settings, 'FallbackModels'>,
): string[] {
  const own = token && token.fallback_models !== '' ? listOf(token.fallback_models) : []
  if (own.length > 0) return own.filter((name) => name !== model).slice(0, MAX_FALLBACKS)
  const models = Object.hasOwn(FallbackModels, group) ? FallbackModels[group] : undefined
  const names = models && Object.hasOwn(models, model) ? (models[model] ?? []) : []
  return names.filter((name) => name !== model).slice(0, MAX_FALLBACKS)
}

/**
 * The models of a call, one at a time. A fallback that this caller may not use, that no channel serves or that has no
 * price is passed over; a channel that was asked for by name, or an earlier answer, has none.
 */
export class Models {
  private readonly call: Call
  private readonly head: RequestHead
  private readonly channels: Serving
  private readonly settings: Settings
  private left: string[] | undefined

  constructor(call: Call, head: RequestHead, channels: Serving, settings: Settings) {
    this.call = call
    this.head = head
    this.channels = channels
    this.settings = settings
  }

  /** @throws GatewayError what refuses the model asked for, where no fallback helps */
  first(): Turn {
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
  next(): Turn | undefined {
    this.left ??= this.fallbacks()
    for (let model = this.left.shift(); model !== undefined; model = this.left.shift()) {
      try {
        return this.admitted({ ...this.head, model })
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
      }
    }
    return undefined
  }

  private admitted(head: RequestHead): Turn {
    const { call, channels, settings } = this
    const nowSeconds = Math.floor(call.started_at / 1000)
    return {
      head,
      admission: admit(call.caller, head, call.pin, { settings, channels, nowSeconds, asked: call.inbound }),
    }
  }

  private fallbacks(): string[] {
    const { caller, pin } = this.call
    const { model, continues } = this.head
    if (pin !== undefined || continues) return []
    const { user, token, group = '' } = caller
    return fallbackModels(model, callGroup(user.group, token?.group ?? group, this.settings), token, this.settings)
  }
}
