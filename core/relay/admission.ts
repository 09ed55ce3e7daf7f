// May this caller make this call? Status, expiry, address, group, model, channels and price, in the order of relay
// reference section 3. Pure: balances are the ledger's to decide.
import type { ChannelIndex, ChannelTiers, RoutedChannel } from '../channels/channel-index.ts'
import { CHANNEL_STATUS } from '../channels/channel.ts'
import { tiersOf } from '../channels/routing.ts'
import type { RequestHead } from '../dialects/dialect.ts'
import type { AnyDialect } from '../dialects/format.ts'
import { fail } from '../errors.ts'
import { callGroup, groupRatio, specialRatio } from '../groups/group.ts'
import { findPrice, type Price } from '../pricing/price.ts'
import type { Settings } from '../settings/index.ts'
import { addressAllowed } from '../tokens/allowed-address.ts'
import { isExpired, listOf, TOKEN_STATUS } from '../tokens/token.ts'
import { isAdmin, isRoot, USER_STATUS, userSetting, type User } from '../users/user.ts'
import type { CallCaller } from './call.ts'

/** Everything decided about a call before it is paid for. Price and group ratio stay fixed from here on. */
export interface Admission {
  group: string
  group_ratio: number
  /** The group ratio is one for users of the caller's own group. */
  special_ratio: boolean
  price: Price
  candidates: ChannelTiers
  /** The one channel asked for by an administrator: never retried on another. */
  pinned: boolean
}

/** Who asks: a user, with a token or (the playground, realtime by session) without. */
export type Asking = Pick<CallCaller, 'user' | 'ip' | 'token' | 'group'>

/**
 * Is the token in order? Also asked by calls that need no model (lists).
 * @throws GatewayError key.disabled, key.expired, access.banned, key.address
 */
export function admitToken(caller: Asking, nowSeconds: number): void {
  const { token, user } = caller
  if (token?.status === TOKEN_STATUS.disabled) fail('key.disabled')
  if (token && isExpired(token, nowSeconds)) fail('key.expired')
  if (user.status !== USER_STATUS.enabled || user.DeletedAt !== null) fail('access.banned')
  if (token && !addressAllowed(caller.ip, token.allow_ips)) fail('key.address')
}

interface Surroundings {
  settings: Settings
  channels: Pick<ChannelIndex, 'tiers' | 'find'>
  nowSeconds: number
  /** The format of the call: channels that cannot be asked in it, nor in another, are none. */
  asked: AnyDialect
}

/** @throws GatewayError of every kind that refuses a call before money is held */
export function admit(
  caller: Asking,
  head: RequestHead,
  pin: string | undefined,
  { settings, channels, nowSeconds, asked }: Surroundings,
): Admission {
  const { token, user } = caller
  admitToken(caller, nowSeconds)
  if (pin !== undefined && !isAdmin(user)) fail('key.pin_forbidden')
  const group = callGroup(user.group, (token ?? caller).group ?? '', settings)
  const pinned = pin === undefined ? undefined : pinnedChannel(pin, channels)
  if (!pinned && token?.model_limits_enabled && !listOf(token.model_limits).includes(head.model)) {
    fail('model.not_allowed', { model: head.model })
  }
  const candidates = pinned ? tiersOf([pinned]) : channels.tiers(group, head.model, asked)
  if (candidates.length === 0) {
    if (channels.tiers(group, head.model).length > 0) fail('channel.wrong_operation')
    fail('model.no_channel', { model: head.model, group })
  }
  const price = findPrice(head.model, settings, settings.SelfUseModeEnabled) ?? unsetPrice(user, head.model, settings)
  if (!price) fail(isRoot(user) ? 'model.no_price_root' : 'model.no_price', { model: head.model })
  return {
    group,
    group_ratio: groupRatio(group, settings, user.group),
    special_ratio: specialRatio(user.group || 'default', group, settings) !== undefined,
    price,
    candidates,
    pinned: pinned !== undefined,
  }
}

/** What a model without a price costs those who take such models. */
const unsetPrice = (user: User, model: string, settings: Settings): Price | null =>
  userSetting(user).accept_unset_model_ratio_model === true ? findPrice(model, settings, true) : null

function pinnedChannel(pin: string, channels: Pick<ChannelIndex, 'find'>): RoutedChannel {
  const channel = /^\d{1,15}$/.test(pin) ? channels.find(Number(pin)) : undefined
  if (!channel) fail('key.pin_invalid')
  if (channel.status !== CHANNEL_STATUS.enabled) fail('channel.disabled')
  return channel
}
