// Converts submitted channel forms to rows of new channels, and to changes of stored ones.
import type { z } from 'zod'
import { hasAccess, type Caller } from '../auth/caller.ts'
import { fail } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import { findProvider } from '../providers/index.ts'
import type { Provider } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import {
  CHANNEL_STATUS,
  jsonObject,
  parseNameList,
  type AddressSetter,
  type Channel,
  type KeyedChannel,
} from './channel.ts'
import type { KeyedChannelForm, KeyedChannelPatch } from './contract.ts'
import { parseDisabledKeys, keyTexts, reenableKeys, setDisabledKeys } from './keys.ts'
import { upstreamModel } from './mapping.ts'
import { hasMasks, unmaskedSetting, getOutboundKey } from './setting-secrets.ts'
import type { ChannelChange, NewChannel } from './store.ts'
import { knownGroups, normalizeChannelPatch } from './tidy.ts'

/** A row for each key, or one for all of them. @throws GatewayError channel.*, mapping.*, group.unknown */
export function buildChannelRows(
  { key, ...form }: z.output<typeof KeyedChannelForm>,
  clock: Clock,
  settings: Settings,
  address_by: AddressSetter,
): [NewChannel, ...NewChannel[]] {
  const channel = withDefault(normalizeChannelPatch(form))
  const provider = findProvider(channel.type) ?? fail('channel.type_unknown', { type: channel.type }, { field: 'type' })
  refuseRetired(provider)
  const keys = splitKeys(channel, key)
  if (hasMasks(channel.setting)) fail('channel.masked', { name: 'setting' }, { field: 'setting' })
  if (channel.name === '' || (provider.needs_key && keys.length === 0))
    fail('channel.name_key', {}, { field: channel.name === '' ? 'name' : 'key' })
  validateChannel(channel)
  checkFields(provider, channel)
  knownGroups(channel, settings)
  const blank = { status: CHANNEL_STATUS.enabled, other_info: '', created_time: seconds(clock), address_by }
  const [first = '', ...others] = keys
  const row = (each: string): NewChannel => ({ ...channel, ...blank, key: each })
  return [row(first), ...others.map(row)]
}

/** Returns the changes of a form. @throws GatewayError channel.*, mapping.*, group.unknown */
export function buildChannelPatch(
  before: KeyedChannel,
  { key, key_on, status: requestedStatus, ...form }: Omit<z.output<typeof KeyedChannelPatch>, 'id'>,
  settings: Settings,
  setter: AddressSetter,
): ChannelChange {
  // A whole form repeats the status that it was read with, and the channel may have disabled itself since.
  const status = form.name === undefined ? requestedStatus : undefined
  // Only Weir sets the third one, together with its reason.
  if (status === CHANNEL_STATUS.auto_disabled) fail('status.unknown', {}, { field: 'status' })
  const normalized = normalizeChannelPatch({ ...form, ...(status === undefined ? {} : { status }) })
  const setting = normalized.setting === undefined ? {} : { setting: settingAfter(before, normalized) }
  const patch = withDefault({ type: before.type, ...normalized, ...setting })
  if (patch.group !== before.group) knownGroups(patch, settings)
  const provider = validateChannel({ ...before, ...patch })
  if (provider.type !== before.type) refuseRetired(provider)
  // A row that lacks something can still be renamed, or switched off.
  const { type, base_url, other } = { ...before, ...patch }
  const isTouched = type !== before.type || base_url !== before.base_url || other !== before.other
  if (isTouched) checkFields(provider, { base_url, other })
  const secret = key?.trim() ? { key: key.trim() } : {}
  if (secret.key === undefined && before.key !== '' && goesElsewhere(before, patch))
    fail('channel.key_again', {}, { field: 'key' })
  const other_info = infoAfter(before, { ...patch, ...secret, key_on })
  const change = { ...patch, ...secret, ...(other_info === undefined ? {} : { other_info }) }
  return { ...change, ...addressMark(before, change, setter) }
}

/** Root may point a channel anywhere, and so may what runs on the host; an administrator may not. */
export const addressSetter = (caller: Caller): AddressSetter => (hasAccess(caller, 'root') ? 'root' : 'admin')

/** Records the author of a change that sends a channel's calls elsewhere. An unchanged value records nothing. */
export function addressMark(
  before: KeyedChannel,
  change: ChannelChange,
  setter: AddressSetter,
): Pick<ChannelChange, 'address_by'> {
  const after = { ...before, ...change }
  const hasKeyAddress = [before, after].some(({ type }) => findProvider(type)?.key_has_address === true)
  const isSet =
    isMoved(before, change) || getProxy(after) !== getProxy(before) || (hasKeyAddress && after.key !== before.key)
  return isSet ? { address_by: setter } : {}
}

const getProxy = ({ setting }: Pick<KeyedChannel, 'setting'>): unknown => jsonObject(setting).proxy || ''

/** A field that is left empty, where its type has a default for it. */
function withDefault<P extends Pick<Channel, 'type'> & Partial<Pick<Channel, 'other'>>>(channel: P): P {
  const given = findProvider(channel.type)?.other_default
  return given !== undefined && channel.other?.trim() === '' ? { ...channel, other: given } : channel
}

/** The keys of new channels: one for each line, unless all lines are one key, or the keys of one channel. */
function splitKeys({ type, key_mode }: Pick<Channel, 'type' | 'key_mode'>, key: string): string[] {
  const whole = findProvider(type)?.key_has_lines === true
  if (key_mode === '') return (whole ? [key] : key.split('\n')).map((line) => line.trim()).filter((line) => line !== '')
  const several = keyTexts({ key, key_mode })
  return several.length === 0 ? [] : [several.join('\n')]
}

type Destination = Pick<KeyedChannel, 'type' | 'base_url' | 'setting'>

/** Would a call send the channel's key, or its headers, to another place than before, or by another way? */
const goesElsewhere = (before: Destination, patch: Partial<Destination>): boolean =>
  isMoved(before, patch) || getOutboundKey({ ...before, ...patch }.setting) !== getOutboundKey(before.setting)

const isMoved = (before: Destination, patch: Partial<Destination>): boolean => {
  const { type, base_url } = { ...before, ...patch }
  return type !== before.type || base_url !== before.base_url
}

/** Replaces masks by the stored values if the destination is unchanged. @throws GatewayError channel.masked */
function settingAfter(before: KeyedChannel, normalized: Partial<Destination> & { setting?: string }): string {
  const given = normalized.setting ?? before.setting
  if (isMoved(before, normalized) && hasMasks(given)) fail('channel.masked', { name: 'setting' }, { field: 'setting' })
  return unmaskedSetting(given, before.setting)
}

/** Returns the record of a channel's failures after a change; undefined if the change does not affect it. */
function infoAfter(
  before: KeyedChannel,
  { status, key, key_mode, key_on }: { status?: number; key?: string; key_mode?: string; key_on?: string },
): string | undefined {
  const isNew = key !== undefined || (key_mode !== undefined && key_mode !== before.key_mode)
  // Enabling a channel enables all keys that were disabled automatically.
  if (status === CHANNEL_STATUS.enabled) return isNew ? '' : reenableKeys(before)
  if (!isNew && key_on === undefined) return undefined
  const off = parseDisabledKeys(before.other_info)
  if (key_on !== undefined) delete off[key_on]
  return setDisabledKeys(before.other_info, isNew ? {} : off)
}

/** @throws GatewayError channel.no_models, channel.model_name, channel.type_unknown, mapping.values, mapping.cycle */
export function validateChannel(channel: Pick<Channel, 'type' | 'models' | 'model_mapping'>): Provider {
  const provider = findProvider(channel.type) ?? fail('channel.type_unknown', { type: channel.type }, { field: 'type' })
  if (parseNameList(channel.models).length === 0) fail('channel.no_models', {}, { field: 'models' })
  const mapping = jsonObject(channel.model_mapping.trim())
  if (!isTexts(mapping)) fail('mapping.values', {}, { field: 'model_mapping' })
  for (const name of Object.keys(mapping)) upstreamModel(name, mapping)
  for (const name of [...parseNameList(channel.models), ...Object.entries(mapping).flat()]) {
    if (/\p{Cc}/u.test(name)) fail('channel.model_name', {}, { field: 'models' })
  }
  return provider
}

/** Requires the fields that a channel of this type needs. @throws GatewayError channel.base_url, channel.other */
function checkFields(provider: Provider, channel: Pick<Channel, 'base_url' | 'other'>): void {
  const { base_url, other } = provider.fields
  if (base_url?.required && channel.base_url === '') fail('channel.base_url', {}, { field: 'base_url' })
  if (other?.required && channel.other.trim() === '') fail('channel.other', { field: other.label }, { field: 'other' })
  provider.check?.(channel)
}

/**
 * Refuses new channels of a type whose service has ended. Existing ones stay. @throws GatewayError channel.type_retired
 */
function refuseRetired({ name, retired }: Provider): void {
  if (retired) fail('channel.type_retired', { name, instead: retired }, { field: 'type' })
}

const isTexts = (object: Record<string, unknown>): object is Record<string, string> =>
  Object.values(object).every((value) => typeof value === 'string')
