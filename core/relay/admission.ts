// Decides whether a caller may make a call, and which account pays for it: status, expiry, address, group, model, channels
// and price, in the order of docs/relay.md, 3. Balances are decided by the ledger. Reads of paid objects and bodies of
// requests are admitted here as well.
import type { ChannelIndex, ChannelTiers } from '../channels/channel-index.ts'
import { CHANNEL_STATUS } from '../channels/channel.ts'
import type { RoutedChannel } from '../channels/routed-channel.ts'
import { groupIntoTiers } from '../channels/routing.ts'
import type { CallerDialect } from '../dialects/dialect.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import { fail, GatewayError } from '../errors.ts'
import { findSpecialRatio, getCallGroup, getGroupRatio, listUsableGroups } from '../groups/group.ts'
import type { ApiLimits } from '../limits/api-rate.ts'
import type { RefreshedFacts } from '../models/model-facts.ts'
import { isSameModel, listSameModels, chooseModelName } from '../models/same-model.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import { findPrice } from '../pricing/price-book.ts'
import type { Price } from '../pricing/price.ts'
import { refuseDebt } from '../quota/debt.ts'
import type { Payer } from '../quota/hold.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { isAddressAllowed } from '../tokens/allowed-address.ts'
import type { CallToken } from '../tokens/token.ts'
import { getPayerId, isExpired, maskKeyText, parseSeparatedList, TOKEN_STATUS } from '../tokens/token.ts'
import { isAdmin, isRoot, parseUserSetting, type User, USER_STATUS } from '../users/user.ts'
import type { CallCaller } from './call.ts'

// Chooses the account that pays for a call. No other part of the relay decides this.

/** Returns the paying account: the team's for a team token, else the user's own. */
export const findPayingAccount = ({ user, token }: { user: Pick<User, 'id'>; token: CallToken | null }): Payer => ({
  account_id: token ? getPayerId(token) : user.id,
  by_user_id: token && token.team_id !== 0 ? user.id : null,
  token: token && { id: token.id, mask: maskKeyText(token.key) },
})

/** All decisions about a call before it is paid for. Price and group ratio are fixed from here on. */
export interface Admission {
  group: string
  group_ratio: number
  /** True if the group ratio is a special one for users of the caller's group. */
  special_ratio: boolean
  price: Price
  /** Model facts that operators have overridden. The maximum usage of the call depends on them. */
  facts: RefreshedFacts
  candidates: ChannelTiers
  /** The single name that price, limits, rows and statistics use (docs/relay.md, 7). */
  model: string
  /** The name under which the candidates list the model: the requested one, or an alias of the same model. */
  listedName: string
  /** True if an administrator asked for one channel. The call is never retried on another. */
  pinned: boolean
}

/** The identity of a caller: a user with a token, or without one (the playground, realtime by session). */
export type CallerIdentity = Pick<CallCaller, 'user' | 'ip' | 'token' | 'group' | 'debt'>

/**
 * Checks the token. Calls that need no model (lists) use it as well.
 * @throws GatewayError key.disabled, key.expired, access.banned, key.address
 */
export function admitToken(caller: CallerIdentity, nowSeconds: number): void {
  const { token } = caller
  if (token?.status === TOKEN_STATUS.disabled) fail('key.disabled')
  if (token && isExpired(token, nowSeconds)) fail('key.expired')
  admitOwnKey(caller)
}

/**
 * Checks whether the key may read its own data, balance and log. A key that is used up or has expired may.
 * @throws GatewayError key.disabled, access.banned, key.address
 */
export function admitOwnKey({ token, user, ip }: Pick<CallerIdentity, 'token' | 'user' | 'ip'>): void {
  if (token?.status === TOKEN_STATUS.disabled) fail('key.disabled')
  if (user.status !== USER_STATUS.enabled || user.DeletedAt !== null) fail('access.banned')
  if (token && !isAddressAllowed(ip, token.allow_ips)) fail('key.address')
}

/** The channel lookups that admission needs. */
export type ChannelLookup = Pick<ChannelIndex, 'tiers' | 'find' | 'naming' | 'answers' | 'listedName'>

interface AdmissionContext {
  settings: Settings
  channels: ChannelLookup
  nowSeconds: number
  /** The dialect of the call. Channels that support neither it nor a translation of it are left out. */
  callerDialect: CallerDialect
}

/**
 * Returns the group of the caller's calls.
 * @throws GatewayError group.disabled, group.retired
 */
export const findCallGroup = (
  { user, token, group }: Pick<CallerIdentity, 'user' | 'token' | 'group'>,
  settings: Settings,
) => getCallGroup(user.group, (token ? token.group : group) ?? '', settings)

/** @throws GatewayError of every kind that refuses a call before money is held */
export function admitCall(
  caller: CallerIdentity,
  head: RequestHead,
  pin: string | undefined,
  surroundings: AdmissionContext,
): Admission {
  const { settings, channels, nowSeconds, callerDialect: dialect } = surroundings
  const { token, user } = caller
  admitToken(caller, nowSeconds)
  refuseDebt(caller.debt)
  if (pin !== undefined && !isAdmin(user)) fail('key.pin_forbidden')
  const group = findCallGroup(caller, settings)
  const pinned = pin === undefined ? undefined : getPinnedChannel(pin, channels)
  const { model } = head
  let candidates = pinned ? groupIntoTiers([pinned]) : channels.tiers(group, model, dialect)
  const isListed = !pinned && candidates.length > 0
  const listedName = isListed
    ? model
    : ((pinned ? findListedName(pinned, model) : channels.listedName(group, model)) ?? model)
  if (!pinned) refuseLimited(token, model, { group, listedName, channels })
  if (listedName !== model && !pinned) candidates = channels.tiers(group, listedName, dialect)
  if (candidates.length === 0 || (pinned && channels.naming(model).length === 0)) {
    refuseUnserved(model, group, user, surroundings)
  }
  const name = chooseModelName(model, listedName)
  const price = getAcceptedPrice(name, user, settings) ?? refuseUnpriced(model, user)
  return {
    group,
    group_ratio: getGroupRatio(group, settings, user.group),
    special_ratio: findSpecialRatio(user.group || 'default', group, settings) !== undefined,
    price,
    facts: settings['models.facts'],
    candidates,
    model: name,
    listedName,
    pinned: pinned !== undefined,
  }
}

/** Resolves a further model that an admitted call uses: its single name, and its price if it has one. */
export function findFurtherModel(
  requested: string,
  { user }: CallerIdentity,
  { group }: Admission,
  { settings, channels }: Pick<AdmissionContext, 'settings' | 'channels'>,
): { model: string; listedName: string; price: Price | null } {
  const listedName = channels.listedName(group, requested) ?? requested
  const model = chooseModelName(requested, listedName)
  return { model, listedName, price: getAcceptedPrice(model, user, settings) }
}

/**
 * Checks whether the caller may also use this model in an admitted call.
 * @throws GatewayError model.not_allowed, model.no_price
 */
export function admitFurtherModel(
  model: string,
  caller: CallerIdentity,
  admission: Admission,
  surroundings: Pick<AdmissionContext, 'settings' | 'channels'>,
): void {
  const { listedName, price } = findFurtherModel(model, caller, admission, surroundings)
  const { group, pinned } = admission
  if (!pinned) refuseLimited(caller.token, model, { group, listedName, channels: surroundings.channels })
  if (!price) refuseUnpriced(model, caller.user)
}

/** Returns the price of the tables, or the price of unpriced models if the site or the user accepts these. */
const getAcceptedPrice = (model: string, user: User, settings: Settings): Price | null =>
  findPrice(
    model,
    settings,
    settings.SelfUseModeEnabled || parseUserSetting(user).accept_unset_model_ratio_model === true,
  )

const refuseUnpriced = (model: string, user: User): never =>
  fail(isRoot(user) ? 'model.no_price_root' : 'model.no_price', { model })

/** Returns the name under which a channel lists the model; undefined if it does not list it. */
const findListedName = ({ model_names }: RoutedChannel, model: string): string | undefined =>
  model_names.includes(model) ? model : listSameModels(model, model_names)[0]

/** A token that is limited to a model may use any of its aliases if both names resolve to the listed one. */
function refuseLimited(
  token: CallerIdentity['token'],
  model: string,
  { group, listedName, channels }: { group: string; listedName: string; channels: ChannelLookup },
): void {
  if (!token?.model_limits_enabled) return
  const isSame = (name: string) =>
    name === listedName ||
    (isSameModel(name, listedName) && (channels.listedName(group, name) ?? listedName) === listedName)
  if (!parseSeparatedList(token.model_limits).some(isSame)) fail('model.not_allowed', { model })
}

/**
 * Fails with `model.missing` if no channel serves the model, and with a temporary error if the channels are only
 * unavailable now.
 */
function refuseUnserved(
  model: string,
  group: string,
  user: User,
  { settings, channels, callerDialect: dialect }: AdmissionContext,
): never {
  const reachable = listUsableGroups(user.group, settings)
  const serving = channels
    .naming(model)
    .filter(
      ({ status, groups }) =>
        status !== CHANNEL_STATUS.disabled && groups.some((name) => name === group || Object.hasOwn(reachable, name)),
    )
  if (serving.length === 0) fail('model.missing', { model })
  if (!serving.some((channel) => channels.answers(channel, model, dialect))) fail('channel.wrong_operation')
  throw buildNoChannelError(model, group, settings)
}

/** Builds the error for a model whose channels are all unavailable. A retry may succeed once a cooldown is over. */
export const buildNoChannelError = (model: string, group: string, settings: Settings): GatewayError =>
  new GatewayError(
    'model.no_channel',
    { model, group },
    { retry_after_ms: settings['channels.cooldown_seconds'] * 1000 },
  )

function getPinnedChannel(pin: string, channels: Pick<ChannelIndex, 'find'>): RoutedChannel {
  const channel = /^\d{1,15}$/.test(pin) ? channels.find(Number(pin)) : undefined
  if (!channel) fail('key.pin_invalid')
  if (channel.status !== CHANNEL_STATUS.enabled) fail('channel.disabled')
  return channel
}

// Admission of request bodies by size, before they are read: the body of a caller who cannot pay is not received.

/** Reading and parsing a body of this size costs next to nothing. Unit: bytes. */
const SMALL = 64 * 1024

/** The facts about a body in the request's head. */
interface DeclaredBody {
  /** Undefined if the head gives no length. */
  bytes: number | undefined
  packed: boolean
  /** True if the body has several parts, each of which takes work to read. */
  form: boolean
}

/**
 * Looks balances up only for bodies that are expensive to read. The ledger still decides about every call.
 * @throws GatewayError any refusal of the token; quota.insufficient, key.exhausted, quota.owes, quota.team_owes
 */
export type AdmitBody = (caller: CallerIdentity, body: DeclaredBody) => Promise<void> | undefined

interface AdmissionPorts {
  ledger: Pick<Ledger, 'refuseEmpty'>
  clock: Clock
  settings(): Settings
}

export function createAdmitBody({ ledger, clock, settings }: AdmissionPorts): AdmitBody {
  function refuseEmptyBalance({ user, token, group: requestedGroup = '' }: CallerIdentity): Promise<void> | undefined {
    const group = getCallGroup(user.group, token?.group ?? requestedGroup, settings())
    return getGroupRatio(group, settings(), user.group) === 0
      ? undefined
      : ledger.refuseEmpty(findPayingAccount({ user, token }))
  }
  return (caller, { bytes = Infinity, packed, form }) => {
    admitToken(caller, seconds(clock))
    refuseDebt(caller.debt)
    return packed || form || bytes > SMALL ? refuseEmptyBalance(caller) : undefined
  }
}

// Admits reads of paid objects: stored responses, tasks and their files. Key, address and user must be valid, and reads
// have a rate limit; no balance is needed.

export interface ReadPorts {
  limits: Pick<ApiLimits, 'count'>
  clock: Clock
}

/** @throws GatewayError any refusal of the token or its user; limit.requests if the user reads too often */
export async function admitReadRequest(caller: CallerIdentity, { limits, clock }: ReadPorts): Promise<void> {
  admitToken(caller, seconds(clock))
  await countReadRequest(caller.user.id, { limits })
}

/**
 * Counts a read of a user whose permission was checked elsewhere.
 * @throws GatewayError limit.requests
 */
export const countReadRequest = (userId: number, { limits }: Pick<ReadPorts, 'limits'>): Promise<void> =>
  limits.count('reads', `user:${userId}`)
