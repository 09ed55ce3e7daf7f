// The endpoints of a channel's keys.
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller, ContractHandlers } from '../auth/caller.ts'
import type { CircuitBreakers } from './circuit-breaker.ts'
import { fail } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { ChangeStores, Storage } from '../ports/storage.ts'
import { findProvider } from '../providers/index.ts'
import { buildAddressMark, findAddressSetter, checkChannelKeys } from './changes.ts'
import { CHANNEL_STATUS, type ChannelWithKey } from './channel.ts'
import { SECONDS_PER_HOUR, type ChannelHour, type ChannelHourCounter } from './channel-hours.ts'
import { KEPT_HEALTH_HOURS } from './health-contract.ts'
import type { channelKeysContract, ShownKey } from './keys-contract.ts'
import {
  maskChannelKey,
  hasMultipleKeys,
  buildChannelKeys,
  parseDisabledKeys,
  listKeyTexts,
  setDisabledKeys,
} from './keys.ts'
import type { ChannelChange } from './store.ts'

interface KeysHandlerPorts {
  storage: Storage
  clock: Clock
  cooldowns: CircuitBreakers
  hours: ChannelHourCounter
}

/** The change to a channel. */
interface KeyChange {
  patch: ChannelChange
  changed: number
}

export function createKeyHandlers({
  storage,
  clock,
  cooldowns,
  hours,
}: KeysHandlerPorts): ContractHandlers<typeof channelKeysContract> {
  const find = async (id: number, from: ChangeStores = storage) =>
    (await from.channels.find(id)) ?? fail('channel.missing')

  /** Returns the keys with the results of the last week. */
  async function shown(channel: ChannelWithKey): Promise<ShownKey[]> {
    await hours.flush()
    return shownKeys(
      channel,
      await storage.channelHours.since(seconds(clock) - KEPT_HEALTH_HOURS * SECONDS_PER_HOUR, [channel.id]),
    )
  }

  /** Changes the keys of a channel in their stored state, and audits the masked keys before and after. */
  async function change(
    { id, version, verb }: { id: number; version: number | undefined; verb: string },
    caller: Caller,
    changeOf: (before: ChannelWithKey) => KeyChange,
  ): Promise<{ data: ShownKey[]; changed: number }> {
    const done = await storage.transaction(async (within) => {
      await within.channels.lock(id)
      const before = await find(id, within)
      const { patch: requested, changed } = changeOf(before)
      const patch = { ...requested, ...buildAddressMark(before, requested, findAddressSetter(caller)) }
      const raises = patch.key !== undefined
      // Keys are stored as one text, so a concurrent writer could lose an added key without the version check.
      await within.channels.update(id, patch, { version: version ?? (raises ? before.version : undefined), raises })
      const after = await find(id, within)
      const target = { action: `channel.${verb}`, target: String(id), created_at: seconds(clock) }
      const texts = { before: recorded(before), after: recorded(after) }
      if (changed > 0) await within.audit.insert([{ ...toAuditAuthor(caller), ...target, ...texts }])
      return { after, changed }
    })
    if (done.changed > 0) await storage.announce({ topic: 'channels', id })
    return { data: await shown(done.after), changed: done.changed }
  }

  return {
    keys: async ({ id }) => shown(await find(id)),
    addKeys: ({ id, version, key }, { caller }) =>
      change({ id, version, verb: 'add_keys' }, caller, (before) => added(before, key)),
    async manageKeys({ id, version, keys, action }, { caller }) {
      const done = await change({ id, version, verb: `${action}_keys` }, caller, (before) => {
        const known = buildChannelKeys(before, (text) => text)
        const unknown = keys.find((print) => !known.some(({ fingerprint }) => fingerprint === print))
        if (unknown !== undefined) fail('channel.key_unknown', { key: unknown || '""' })
        return action === 'remove' ? removed(before, keys) : switched(before, keys, action === 'enable', seconds(clock))
      })
      // Those that go on keep what was learned of them.
      if (action !== 'disable') for (const print of keys) cooldowns.forget(id, print)
      return done
    },
  }
}

/** @throws GatewayError channel.key, channel.key_lines, channel.key_form */
function added(before: ChannelWithKey, text: string): KeyChange {
  const had = listKeyTexts(before).filter((key) => key !== '')
  const given = listKeyTexts({ key: text, key_mode: 'turn' })
  if (given.length === 0) fail('channel.key')
  const fresh = given.filter((key) => !had.includes(key))
  if (fresh.length === 0) return { patch: {}, changed: 0 }
  if (!hasMultipleKeys(before) && had.some((key) => key.includes('\n'))) fail('channel.key_lines')
  const provider = findProvider(before.type)
  if (provider) checkChannelKeys(provider, fresh)
  const keys = [...had, ...fresh]
  const mode = keys.length > 1 && !hasMultipleKeys(before) ? { key_mode: 'turn' } : {}
  return {
    patch: { key: keys.join('\n'), ...mode, ...revived(before, parseDisabledKeys(before.other_info)) },
    changed: fresh.length,
  }
}

/** @throws GatewayError channel.last_key */
function removed(before: ChannelWithKey, prints: readonly string[]): KeyChange {
  const keys = buildChannelKeys(before, (text) => text)
  const left = keys.filter(({ fingerprint }) => !prints.includes(fingerprint))
  if (left.length === 0) fail('channel.last_key')
  refuseDead(before, left)
  const off = parseDisabledKeys(before.other_info)
  for (const print of prints) delete off[print]
  const key = left.map(({ channel }) => channel).join('\n')
  return { patch: { key, other_info: setDisabledKeys(before.other_info, off) }, changed: keys.length - left.length }
}

/** @throws GatewayError channel.last_key */
function switched(before: ChannelWithKey, prints: readonly string[], on: boolean, time: number): KeyChange {
  const off = parseDisabledKeys(before.other_info)
  const others = buildChannelKeys(before, (text) => text).filter(({ fingerprint }) => !prints.includes(fingerprint))
  if (!on) refuseDead(before, others)
  const changing = prints.filter((print) => (on ? Object.hasOwn(off, print) : !off[print]?.by_hand))
  for (const print of changing) {
    if (on) delete off[print]
    else off[print] = { reason: '', time, by_hand: true }
  }
  const other_info = setDisabledKeys(before.other_info, off)
  return { patch: { other_info, ...(on ? revived(before, off) : {}) }, changed: changing.length }
}

/** An enabled channel keeps a key that is on: otherwise it would look as if it worked. */
function refuseDead({ status }: ChannelWithKey, left: readonly { on: boolean }[]): void {
  if (status === CHANNEL_STATUS.enabled && !left.some(({ on }) => on)) fail('channel.last_key')
}

/** A channel that went off for want of a key comes back with one. */
function revived(before: ChannelWithKey, off: ReturnType<typeof parseDisabledKeys>): ChannelChange {
  const wasDead = buildChannelKeys(before, (text) => text).every(({ on }) => !on)
  if (before.status !== CHANNEL_STATUS.auto_disabled || !wasDead) return {}
  return { status: CHANNEL_STATUS.enabled, other_info: setDisabledKeys('', off) }
}

/** The last hour that a key was used in, and the last failure that was its channel's. */
interface KeyPast {
  used_at: number
  last_error: ShownKey['last_error']
}
const NO_PAST: KeyPast = { used_at: 0, last_error: null }

function shownKeys(channel: ChannelWithKey, rows: readonly ChannelHour[]): ShownKey[] {
  const off = parseDisabledKeys(channel.other_info)
  const pasts = new Map<string, KeyPast>()
  for (const { key, hour, error_at, error_status, error } of rows) {
    const past = pasts.get(key) ?? NO_PAST
    const isNewer = error_at > (past.last_error?.at ?? 0)
    pasts.set(key, {
      used_at: Math.max(past.used_at, hour),
      last_error: isNewer ? { at: error_at, status: error_status, error } : past.last_error,
    })
  }
  return buildChannelKeys(channel, (text) => text).map(({ channel: text, fingerprint, index, on }) => ({
    place: index + 1,
    key: maskChannelKey(text),
    fingerprint,
    on,
    reason: off[fingerprint]?.reason ?? '',
    since: off[fingerprint]?.time ?? 0,
    ...(pasts.get(fingerprint) ?? NO_PAST),
  }))
}

/** Returns the keys as an audit row shows them. */
const recorded = (channel: ChannelWithKey): string =>
  JSON.stringify(shownKeys(channel, []).map(({ key, fingerprint, on }) => ({ key, fingerprint, on })))
