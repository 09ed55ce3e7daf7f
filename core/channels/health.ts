// Decides when a channel is disabled automatically (docs/relay.md, 10).
import { fillTemplate, words } from '../errors.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { SendUserNotice } from '../notify/notice.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { findProvider } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import { CHANNEL_STATUS, type ChannelWithKey } from './channel.ts'
import type { CircuitBreakers } from './circuit-breaker.ts'
import { getKeyFingerprint, hasMultipleKeys, listKeyTexts, parseDisabledKeys, setDisabledKeys } from './keys.ts'
import type { ChannelChange } from './store.ts'

/** Error codes of several providers for a bad key or account. */
const CODES = new Set([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'insufficient_quota',
  'API_KEY_INVALID',
  'InvalidApiKey',
  'Arrearage',
  '1113',
])
const TYPES = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'billing_error',
  'forbidden',
])

/**
 * Returns true if the failure shows that the channel's key or account is bad, so that the channel should be disabled.
 */
export function shouldDisableChannel(
  failure: CallFailure,
  channel: { auto_ban: number; type: number },
  settings: Pick<Settings, 'AutomaticDisableChannelEnabled' | 'AutomaticDisableKeywords'>,
): boolean {
  if (!settings.AutomaticDisableChannelEnabled || channel.auto_ban !== 1 || failure.source !== 'upstream') return false
  if (failure.status === 401 || failure.status === 402) return true
  if (CODES.has(String(failure.code)) || TYPES.has(failure.type)) return true
  if (findProvider(channel.type)?.accountFailed?.(failure)) return true
  const message = failure.message.toLowerCase()
  return settings.AutomaticDisableKeywords.split('\n').some((line) => {
    const word = line.trim().toLowerCase()
    return word !== '' && message.includes(word)
  })
}

/** The reason as the channel list and the notice show it. */
export const describeFailure = ({ status, message }: Pick<CallFailure, 'status' | 'message'>): string =>
  `status code ${status}: ${message}`

// Disables and enables channels and keys automatically, with the reason and the time for display.

export interface AutomaticDisable {
  /**
   * Disables the channel for this reason. With a fingerprint only that key, as long as the channel has another enabled
   * key. A disabled channel stays as it is.
   */
  off(id: number, reason: string, fingerprint?: string): Promise<void>
  /** Enables the channel and the key that has worked again. A channel or key that a user disabled stays disabled. */
  on(id: number, fingerprint?: string): Promise<void>
}

interface ChannelHealthPorts {
  storage: Storage
  clock: Clock
  cooldowns: CircuitBreakers
  notify: SendUserNotice
}

export function createAutomaticDisable({ storage, clock, cooldowns, notify }: ChannelHealthPorts): AutomaticDisable {
  let last: Promise<void> = Promise.resolve()

  /** One change at a time: each reads what the one before has written. */
  function change(id: number, work: (channel: ChannelWithKey) => Promise<void>): Promise<void> {
    const done = last.then(async () => {
      const channel = await storage.channels.find(id)
      if (channel) await work(channel)
    })
    last = done.catch(() => undefined)
    return done
  }
  async function store(id: number, patch: ChannelChange): Promise<void> {
    await storage.channels.update(id, patch)
    await storage.announce({ topic: 'channels', id })
  }

  async function switchOff(channel: ChannelWithKey, reason: string, fingerprint: string): Promise<void> {
    if (channel.status !== CHANNEL_STATUS.enabled) return
    const { id, name } = channel
    const time = seconds(clock)
    const off = parseDisabledKeys(channel.other_info)
    if (hasMultipleKeys(channel) && fingerprint !== '') {
      if (Object.hasOwn(off, fingerprint)) return
      const keys_off = { ...off, [fingerprint]: { reason, time } }
      const left = listKeyTexts(channel).filter((key) => !Object.hasOwn(keys_off, getKeyFingerprint(key)))
      if (left.length > 0) {
        await store(id, { other_info: setDisabledKeys(channel.other_info, keys_off) })
        const text = fillTemplate(
          words('A key ({fingerprint}) of channel {id} "{name}" was disabled, {left} work: {reason}'),
          { fingerprint, id, name, left: left.length, reason },
        )
        return notify({ kind: 'channel_disabled', text })
      }
      off[fingerprint] = { reason, time }
    }
    const other_info = setDisabledKeys(JSON.stringify({ status_reason: reason, status_time: time }), off)
    await store(id, { status: CHANNEL_STATUS.auto_disabled, other_info })
    const text = fillTemplate(words('Channel {id} "{name}" was disabled: {reason}'), { id, name, reason })
    await notify({ kind: 'channel_disabled', text })
  }

  async function switchOn(channel: ChannelWithKey, fingerprint: string): Promise<void> {
    const { id, name } = channel
    const off = parseDisabledKeys(channel.other_info)
    const wasOff = channel.status === CHANNEL_STATUS.auto_disabled
    if (channel.status === CHANNEL_STATUS.disabled || !(wasOff || Object.hasOwn(off, fingerprint))) return
    if (off[fingerprint]?.by_hand) return
    delete off[fingerprint]
    const other_info = setDisabledKeys('', off)
    await store(id, { status: CHANNEL_STATUS.enabled, other_info })
    cooldowns.forget(id)
    const what = wasOff
      ? fillTemplate(words('Channel {id} "{name}"'), { id, name })
      : fillTemplate(words('A key ({fingerprint}) of channel {id} "{name}"'), { fingerprint, id, name })
    const text = fillTemplate(words('{what} was enabled: it passed a test'), { what })
    await notify({ kind: 'channel_enabled', text })
  }

  return {
    off: (id, reason, fingerprint = '') => change(id, (channel) => switchOff(channel, reason, fingerprint)),
    on: (id, fingerprint = '') => change(id, (channel) => switchOn(channel, fingerprint)),
  }
}
