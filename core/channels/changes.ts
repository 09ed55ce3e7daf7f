// Converts submitted channel forms to rows of new channels, and to changes of stored ones.
import type { z } from 'zod'
import { maskSecretValue, type NewAuditRow, toAuditAuthor } from '../audit/audit.ts'
import { type Caller, hasAccess } from '../auth/caller.ts'
import { parseInput } from '../contract/validation.ts'
import { fail, GatewayError } from '../errors.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { WriteTransaction } from '../ports/storage.ts'
import { findProvider } from '../providers/index.ts'
import type { Provider } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import type { AddressSetter, Channel, ChannelForm, ChannelPatch, ChannelWithKey } from './channel.ts'
import { CHANNEL_STATUS, parseJsonObjectText, parseNameList } from './channel.ts'
import { KeyedChannelForm, type KeyedChannelPatch } from './contract.ts'
import { listKeyTexts, parseDisabledKeys, reenableChannelKeys, setDisabledKeys } from './keys.ts'
import { getUpstreamModelName } from './routed-channel.ts'
import { channelSettingFields } from './setting-fields.data.ts'
import { getOutboundKey, hasMaskedValues, maskChannelSetting, restoreMaskedSetting } from './setting-secrets.ts'
import type { ChannelChange, NewChannel } from './store.ts'

// Normalizes the lists and tags of a channel for storage.

type Listed = Partial<Pick<Channel, 'models' | 'group' | 'tag'>>

/** Names without blanks and doubles; an empty tag is none. */
export function normalizeChannelPatch<P extends Listed>(patch: P): P {
  const { models, group, tag } = patch
  return {
    ...patch,
    ...(models === undefined ? {} : { models: parseNameList(models).join(',') }),
    ...(group === undefined ? {} : { group: parseNameList(group).join(',') || 'default' }),
    ...(tag === undefined ? {} : { tag: tag?.trim() || null }),
  }
}

/** Refuses unknown groups, since no call could reach the channel. @throws GatewayError group.unknown */
export function requireKnownGroups({ group }: Listed, { GroupRatio }: Pick<Settings, 'GroupRatio'>): void {
  const unknown = parseNameList(group ?? '').find((name) => !Object.hasOwn(GroupRatio, name))
  if (unknown !== undefined) fail('group.unknown', { group: unknown }, { field: 'group' })
}

/** A row for each key, or one for all of them. @throws GatewayError channel.*, mapping.*, group.unknown */
export function buildChannelRows(
  { key, ...form }: z.output<typeof KeyedChannelForm>,
  clock: Clock,
  settings: Settings,
  address_by: AddressSetter,
): [NewChannel, ...NewChannel[]] {
  const channel = withDefault(normalizeChannelPatch(form))
  const keys = splitKeys(channel, key)
  const provider = findProvider(channel.type)
  if (provider) refuseRetired(provider)
  validateNewChannel(channel, keys)
  checkSettingNames(channel.setting, '')
  requireKnownGroups(channel, settings)
  const blank = { status: CHANNEL_STATUS.enabled, other_info: '', created_time: seconds(clock), address_by }
  const [first = '', ...others] = keys
  const row = (each: string): NewChannel => ({ ...channel, ...blank, key: each })
  return [row(first), ...others.map(row)]
}

/** The checks of a new channel, except those of its groups. @throws GatewayError channel.*, mapping.* */
function validateNewChannel(channel: ChannelForm, keys: readonly string[]): void {
  const provider = findProvider(channel.type) ?? fail('channel.type_unknown', { type: channel.type }, { field: 'type' })
  if (hasMaskedValues(channel.setting)) fail('channel.masked', { name: 'setting' }, { field: 'setting' })
  if (channel.name === '' || (provider.needs_key && keys.length === 0))
    fail('channel.name_key', {}, { field: channel.name === '' ? 'name' : 'key' })
  validateChannel(channel)
  checkFields(provider, channel)
  checkChannelKeys(
    provider,
    keys.flatMap((each) => listKeyTexts({ key: each, key_mode: channel.key_mode })),
  )
}

/**
 * Returns why a form would refuse this channel, which has existed elsewhere; undefined if it would accept it. Its
 * groups are not checked, and its type may be one that new channels no longer have.
 */
export function findFormRefusal(row: Pick<ChannelWithKey, keyof ChannelForm | 'key'>): GatewayError | undefined {
  try {
    const { key, ...form } = parseInput(KeyedChannelForm, row)
    const channel = withDefault(normalizeChannelPatch(form))
    validateNewChannel(channel, splitKeys(channel, key))
    return undefined
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

/** Returns the changes of a form. @throws GatewayError channel.*, mapping.*, group.unknown */
export function buildChannelPatch(
  before: ChannelWithKey,
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
  if (patch.group !== before.group) requireKnownGroups(patch, settings)
  const provider = validateChannel({ ...before, ...patch })
  if (provider.type !== before.type) refuseRetired(provider)
  // A row that lacks something can still be renamed, or switched off.
  const { type, base_url, other } = { ...before, ...patch }
  const isTouched = type !== before.type || base_url !== before.base_url || other !== before.other
  if (isTouched) checkFields(provider, { base_url, other })
  if (normalized.setting !== undefined) checkSettingNames(normalized.setting, before.setting)
  const secret = key?.trim() ? { key: key.trim() } : {}
  const after = { ...before, ...patch, ...secret }
  if (secret.key !== undefined || type !== before.type) checkChannelKeys(provider, listKeyTexts(after))
  if (secret.key === undefined && before.key !== '' && goesElsewhere(before, patch))
    fail('channel.key_again', {}, { field: 'key' })
  const other_info = infoAfter(before, { ...patch, ...secret, key_on })
  const change = { ...patch, ...secret, ...(other_info === undefined ? {} : { other_info }) }
  return { ...change, ...buildAddressMark(before, change, setter) }
}

/** Returns who set the address. Root and programs on the host may use any address; an administrator may not. */
export const findAddressSetter = (caller: Caller): AddressSetter => (hasAccess(caller, 'root') ? 'root' : 'admin')

/** Records the author of a change that sends a channel's calls elsewhere. An unchanged value records nothing. */
export function buildAddressMark(
  before: ChannelWithKey,
  change: ChannelChange,
  setter: AddressSetter,
): Pick<ChannelChange, 'address_by'> {
  const after = { ...before, ...change }
  const hasKeyAddress = [before, after].some(({ type }) => findProvider(type)?.key_has_address === true)
  const isSet =
    isMoved(before, change) || getProxy(after) !== getProxy(before) || (hasKeyAddress && after.key !== before.key)
  return isSet ? { address_by: setter } : {}
}

const getProxy = ({ setting }: Pick<ChannelWithKey, 'setting'>): unknown => parseJsonObjectText(setting).proxy || ''

/** A field that is left empty, where its type has a default for it. */
function withDefault<P extends Pick<Channel, 'type'> & Partial<Pick<Channel, 'other'>>>(channel: P): P {
  const given = findProvider(channel.type)?.other_default
  return given !== undefined && channel.other?.trim() === '' ? { ...channel, other: given } : channel
}

/** The keys of new channels: one for each line, unless all lines are one key, or the keys of one channel. */
function splitKeys({ type, key_mode }: Pick<Channel, 'type' | 'key_mode'>, key: string): string[] {
  const whole = findProvider(type)?.key_has_lines === true
  if (key_mode === '') return (whole ? [key] : key.split('\n')).map((line) => line.trim()).filter((line) => line !== '')
  const several = listKeyTexts({ key, key_mode })
  return several.length === 0 ? [] : [several.join('\n')]
}

type RequestDestination = Pick<ChannelWithKey, 'type' | 'base_url' | 'setting'>

/** Would a call send the channel's key, or its headers, to another place than before, or by another way? */
const goesElsewhere = (before: RequestDestination, patch: Partial<RequestDestination>): boolean =>
  isMoved(before, patch) || getOutboundKey({ ...before, ...patch }.setting) !== getOutboundKey(before.setting)

const isMoved = (before: RequestDestination, patch: Partial<RequestDestination>): boolean => {
  const { type, base_url } = { ...before, ...patch }
  return type !== before.type || base_url !== before.base_url
}

/** Replaces masks by the stored values if the destination is unchanged. @throws GatewayError channel.masked */
function settingAfter(before: ChannelWithKey, normalized: Partial<RequestDestination> & { setting?: string }): string {
  const given = normalized.setting ?? before.setting
  if (isMoved(before, normalized) && hasMaskedValues(given))
    fail('channel.masked', { name: 'setting' }, { field: 'setting' })
  return restoreMaskedSetting(given, before.setting)
}

/** Returns the record of a channel's failures after a change; undefined if the change does not affect it. */
function infoAfter(
  before: ChannelWithKey,
  { status, key, key_mode, key_on }: { status?: number; key?: string; key_mode?: string; key_on?: string },
): string | undefined {
  const isNew = key !== undefined || (key_mode !== undefined && key_mode !== before.key_mode)
  // Enabling a channel enables all keys that were disabled automatically.
  if (status === CHANNEL_STATUS.enabled) return isNew ? '' : reenableChannelKeys(before)
  if (!isNew && key_on === undefined) return undefined
  const off = parseDisabledKeys(before.other_info)
  if (key_on !== undefined) delete off[key_on]
  return setDisabledKeys(before.other_info, isNew ? {} : off)
}

/** @throws GatewayError channel.no_models, channel.model_name, channel.type_unknown, mapping.values, mapping.cycle */
export function validateChannel(channel: Pick<Channel, 'type' | 'models' | 'model_mapping'>): Provider {
  const provider = findProvider(channel.type) ?? fail('channel.type_unknown', { type: channel.type }, { field: 'type' })
  if (parseNameList(channel.models).length === 0) fail('channel.no_models', {}, { field: 'models' })
  const mapping = parseJsonObjectText(channel.model_mapping.trim())
  if (!isTexts(mapping)) fail('mapping.values', {}, { field: 'model_mapping' })
  for (const name of Object.keys(mapping)) getUpstreamModelName(name, mapping)
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
  if (!provider.whole_address && /[?#]/.test(channel.base_url)) fail('channel.base_address', {}, { field: 'base_url' })
  provider.check?.(channel)
}

/** Refuses names that nothing reads. Stored ones may stay. @throws GatewayError channel.setting_unknown */
function checkSettingNames(setting: string, stored: string): void {
  const known = Object.keys(channelSettingFields)
  const previous = parseJsonObjectText(stored)
  const name = Object.keys(parseJsonObjectText(setting)).find(
    (each) => each !== SANDBOX_SETTING && !known.includes(each) && !Object.hasOwn(previous, each),
  )
  if (name !== undefined) fail('channel.setting_unknown', { name, known: known.join(', ') }, { field: 'setting' })
}

/** The member in which the sandbox reads its switches. */
const SANDBOX_SETTING = 'sandbox'

/** Refuses keys that no request of the type could be made with. @throws GatewayError channel.key_form */
export function checkChannelKeys({ hasKeyForm, fields }: Provider, keys: readonly string[]): void {
  if (hasKeyForm && keys.some((key) => key !== '' && !hasKeyForm(key)))
    fail('channel.key_form', { form: fields.key?.placeholder ?? '' }, { field: 'key' })
}

/**
 * Refuses new channels of a type whose service has ended. Existing ones stay. @throws GatewayError channel.type_retired
 */
function refuseRetired({ name, retired }: Provider): void {
  if (retired) fail('channel.type_retired', { name, instead: retired }, { field: 'type' })
}

const isTexts = (object: Record<string, unknown>): object is Record<string, string> =>
  Object.values(object).every((value) => typeof value === 'string')

// The changes to all channels of a tag at once.

/**
 * The form of a tag. An absent, null or empty field leaves the value of each channel unchanged, unless its comment says
 * otherwise.
 */
export interface TagChange {
  /** The tag's new name; empty takes the tag away. */
  new_tag?: string | null
  model_mapping?: string | null
  models?: string | null
  /** Comma lists of models that each channel gains and loses. */
  add_models?: string | null
  remove_models?: string | null
  groups?: string | null
  status_code_mapping?: string | null
  param_override?: string | null
  /** Members to replace in the setting, as JSON; null removes one. */
  setting?: string | null
  /** Empty for the first model. */
  test_model?: string | null
  openai_organization?: string | null
  auto_ban?: number | null
  max_input_tokens?: number | null
  priority?: number | null
  weight?: number | null
}

const TEXTS = ['model_mapping', 'status_code_mapping', 'param_override', 'openai_organization'] as const
const NUMBERS = ['auto_ban', 'max_input_tokens', 'priority', 'weight'] as const

/** Returns the form of one channel, with its setting unmasked. */
export function applyTagChange(
  channel: Pick<Channel, 'models' | 'setting'>,
  change: TagChange,
): z.infer<typeof ChannelPatch> {
  const { new_tag, groups, setting, test_model } = change
  const texts = TEXTS.flatMap((name) => (change[name]?.trim() ? [[name, change[name]]] : []))
  const numbers = NUMBERS.flatMap((name) => (typeof change[name] === 'number' ? [[name, change[name]]] : []))
  return {
    ...(Object.fromEntries([...texts, ...numbers]) as z.infer<typeof ChannelPatch>),
    ...(new_tag === undefined || new_tag === null ? {} : { tag: new_tag.trim() === '' ? null : new_tag.trim() }),
    ...(changesModels(change) ? { models: changeChannelModels(channel.models, change).join(',') } : {}),
    ...(groups?.trim() ? { group: groups } : {}),
    ...(setting?.trim() ? { setting: mergeSetting(channel.setting, setting) } : {}),
    ...(test_model === undefined || test_model === null ? {} : { test_model }),
  }
}

const changesModels = ({ models, add_models, remove_models }: TagChange) =>
  [models, add_models, remove_models].some((list) => list?.trim())

/** Returns the models after additions and removals, in their order. */
export function changeChannelModels(
  current: string,
  { models, add_models, remove_models }: Pick<TagChange, 'models' | 'add_models' | 'remove_models'>,
): string[] {
  const removed = parseNameList(remove_models ?? '')
  const all = parseNameList([models?.trim() ? models : current, add_models ?? ''].join(','))
  return all.filter((name) => !removed.includes(name))
}

function mergeSetting(current: string, change: string): string {
  const members = Object.entries({ ...parseJsonObjectText(current), ...parseJsonObjectText(change) }).filter(
    ([, value]) => value !== null,
  )
  return members.length === 0 ? '' : JSON.stringify(Object.fromEntries(members))
}

/** The tags of these channels, each once. */
export const listTags = (channels: readonly Channel[]): string[] => [
  ...new Set(channels.flatMap(({ tag }) => (tag ? [tag] : []))),
]

export const isUntagged = ({ tag }: Pick<Channel, 'tag'>): boolean => !tag

// Writes an audit row with author, old and new values for each channel that changed.

/** Audits `channel.create`, `channel.update` … with the old and new values of these channels. */
export type AuditChannelChanges = (
  within: WriteTransaction,
  caller: Caller,
  action: string,
  before: readonly ChannelWithKey[],
  after: readonly ChannelWithKey[],
) => Promise<void>

export const createRecordChannels =
  ({ clock }: { clock: Clock }): AuditChannelChanges =>
  async ({ audit }, caller, action, before, after) => {
    const by = { ...toAuditAuthor(caller), created_at: seconds(clock), action: `channel.${action}` }
    const ids = [...new Set([...before, ...after].map(({ id }) => id))]
    const rows = ids.flatMap((id): NewAuditRow[] => {
      const [was, is] = [before, after].map((list) => list.find((channel) => channel.id === id))
      const changed = FIELDS.filter((field) => getFieldValue(was, field) !== getFieldValue(is, field))
      if (was && is && changed.length === 0) return []
      return [{ ...by, target: String(id), before: shown(was, changed), after: shown(is, changed) }]
    })
    if (rows.length > 0) await audit.insert(rows)
  }

/** Fields that users set. Measured fields are not audited. */
const SET = [
  ...['name', 'type', 'key', 'key_mode', 'base_url', 'other', 'openai_organization', 'max_input_tokens', 'models'],
  ...['group', 'model_mapping', 'status_code_mapping', 'param_override', 'setting', 'auto_ban', 'test_model'],
  ...['priority', 'weight', 'tag', 'remark', 'address_by'],
] as readonly (keyof ChannelChange)[]
const FIELDS = [...SET, 'status', 'other_info'] as readonly (keyof ChannelChange)[]

/** Returns the disabled keys, the only part of the failure record that users set. */
const listDisabledKeys = (channel: ChannelWithKey) => Object.keys(parseDisabledKeys(channel.other_info))
const getFieldValue = (channel: ChannelWithKey | undefined, field: keyof ChannelChange) =>
  field === 'other_info' ? (channel ? listDisabledKeys(channel).join() : '') : channel?.[field]

/** Does the change concern a field that people edit? The status does not count, because channels also change it automatically. */
export const isEdited = (before: Partial<ChannelWithKey>, change: ChannelChange): boolean =>
  SET.some((field) => change[field] !== undefined && change[field] !== before[field])

function shown(channel: ChannelWithKey | undefined, fields: readonly (keyof ChannelChange)[]): string {
  if (!channel) return ''
  const { key, setting } = channel
  const safe = { ...channel, key: maskSecretValue(key), setting: maskChannelSetting(setting) }
  const audited = fields.map((field) =>
    field === 'other_info' ? ['keys_off', listDisabledKeys(channel)] : [field, safe[field]],
  )
  return JSON.stringify(Object.fromEntries(audited))
}
