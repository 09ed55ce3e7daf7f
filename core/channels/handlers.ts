// The channel endpoints.
import type { Handlers } from '../auth/handler.ts'
import { sliceFromZero } from '../contract/page.ts'
import { fail, GatewayError } from '../errors.ts'
import { callGroup } from '../groups/group.ts'
import { seconds } from '../ports/clock.ts'
import type { ChangeStores } from '../ports/storage.ts'
import { providers, providerOf } from '../providers/index.ts'
import { needed, type Provider } from '../providers/provider.ts'
import { upstreamModel } from './mapping.ts'
import type { ChannelTester } from '../relay/channel-tests/channel-test.ts'
import { fallbackModels } from '../relay/models.ts'
import { CHANNEL_STATUS, jsonObject, namesIn, type Channel, type KeyedChannel } from './channel.ts'
import type { Affinity } from './affinity.ts'
import type { ChannelIndex } from './channel-index.ts'
import type { ChannelHours } from './channel-hours.ts'
import type { Cooldowns } from './cooldown.ts'
import { explainRoute } from './explain.ts'
import { createBulkHandlers, type BulkPorts } from './bulk-handlers.ts'
import { createHealthHandlers } from './health-handlers.ts'
import { keysOff, keyTexts } from './keys.ts'
import { createRecordChannels } from './record.ts'
import { hasMasks, shownChannel, unmaskedSetting, wayOf } from './setting-secrets.ts'
import { tagsOf } from './tags.ts'
import { knownGroups, tidy } from './tidy.ts'
import type { channels } from './contract.ts'
import type { NewChannel } from './store.ts'

interface Ports extends BulkPorts {
  index: ChannelIndex
  cooldowns: Cooldowns
  affinity: Affinity
  hours: ChannelHours
  testChannel: ChannelTester
}

export function createChannelHandlers(ports: Ports): Handlers<typeof channels> {
  const { storage, clock, index, cooldowns, testChannel, settings } = ports
  const changed = (id: number) => storage.announce({ topic: 'channels', id })
  const find = async (id: number, from: ChangeStores = storage) =>
    (await from.channels.find(id)) ?? fail('channel.missing')
  const record = createRecordChannels(ports)

  return {
    ...createBulkHandlers(ports, { check, record }),
    ...createHealthHandlers(ports),
    async list({ p, page_size, id_sort, tag_mode }) {
      const order = { idSort: id_sort }
      const slice = sliceFromZero(p, page_size)
      const found = tag_mode
        ? await storage.channels.ofTags(await storage.channels.tags(slice), order)
        : await storage.channels.list(slice, order)
      return found.map(shownChannel)
    },
    async search({ id_sort, tag_mode, group, ...query }) {
      const order = { idSort: id_sort }
      const found = await storage.channels.search({ ...query, group: group === 'null' ? '' : group }, order)
      return (tag_mode ? await storage.channels.ofTags(tagsOf(found), order) : found).map(shownChannel)
    },
    types: async () =>
      providers.map(({ type, id, name, base_url, models, needs_key, env, retired, fields }) => ({
        type,
        id,
        name,
        base_url,
        models,
        needs_key,
        ...(env ? { env } : {}),
        ...(retired ? { retired } : {}),
        fields,
      })),
    modelsEnabled: async () => index.allModels(),
    get: async ({ id }) => shownChannel(await find(id)),
    async test({ id, model }, { caller }) {
      const result = await testChannel(await find(id), model, caller.user)
      if (result.passed) return { data: null, time: result.ms / 1000 }
      const { status, message } = result.failure
      const more = { cause: result.cause, beside: { time: result.ms / 1000 } }
      const failed = new GatewayError('channel.test_failed', { status, reason: message }, more)
      // Nobody answered: then there is no status to tell.
      throw failed.network ? new GatewayError('upstream.unreachable', {}, more) : failed
    },
    async route({ model, group: asked, token_id, prompt_tokens }) {
      const token = token_id > 0 ? ((await storage.tokens.find(token_id)) ?? fail('token.missing')) : undefined
      const owner = token && ((await storage.users.find(token.user_id)) ?? fail('user.missing'))
      const group = asked || (token && owner ? callGroup(owner.group, token.group, settings()) : 'default')
      const fallbacks = fallbackModels(model, group, token ?? { fallback_models: '' }, settings())
      return {
        model,
        group,
        attempts: settings().RetryTimes + 1,
        channels: explainRoute(ports, group, model, prompt_tokens),
        fallbacks: fallbacks.map((name) => ({ model: name, channels: index.candidates(group, name).length })),
      }
    },
    async create({ key, ...form }, { caller }) {
      const channel = withDefault(tidy(form))
      const provider = providerOf(channel.type) ?? fail('channel.type_unknown', { type: channel.type })
      refuseRetired(provider)
      const keys = keysIn(channel, key)
      if (hasMasks(channel.setting)) fail('channel.masked', { name: 'setting' })
      if (channel.name === '' || (provider.needs_key && keys.length === 0)) fail('channel.name_key')
      check(channel)
      checkFields(provider, channel)
      knownGroups(channel, settings())
      const blank = { status: CHANNEL_STATUS.enabled, other_info: '', created_time: seconds(clock) }
      const rows = (keys.length > 0 ? keys : ['']).map((each): NewChannel => ({ ...channel, ...blank, key: each }))
      const made = await storage.transaction(async (within) => {
        const inserted = await within.channels.insert(rows)
        const whole = await Promise.all(inserted.map(({ id }) => find(id, within)))
        await record(within, caller, 'create', [], whole)
        return inserted
      })
      await changed(0)
      return made.map(shownChannel)
    },
    async update({ id, key, key_on, status: wanted, ...form }, { caller }) {
      const before = await find(id)
      // A whole form says what its row was like when it was read: channels switch themselves off meanwhile.
      const status = form.name === undefined ? wanted : undefined
      const asked = tidy({ ...form, ...(status === undefined ? {} : { status }) })
      const setting = asked.setting === undefined ? {} : { setting: settingAfter(before, asked) }
      const patch = withDefault({ type: before.type, ...asked, ...setting })
      if (patch.group !== before.group) knownGroups(patch, settings())
      const provider = check({ ...before, ...patch })
      if (provider.type !== before.type) refuseRetired(provider)
      // A row that lacks something can still be renamed, or switched off.
      const { type, base_url, other } = { ...before, ...patch }
      const isTouched = type !== before.type || base_url !== before.base_url || other !== before.other
      if (isTouched) checkFields(provider, { base_url, other })
      const secret = key?.trim() ? { key: key.trim() } : {}
      if (secret.key === undefined && before.key !== '' && goesElsewhere(before, patch)) fail('channel.key_again')
      const other_info = infoAfter(before, { ...patch, ...secret, key_on })
      const after = await storage.transaction(async (within) => {
        const change = { ...patch, ...secret, ...(other_info === undefined ? {} : { other_info }) }
        await within.channels.update(id, change)
        const made = await find(id, within)
        await record(within, caller, 'update', [before], [made])
        return made
      })
      cooldowns.forget(id)
      await changed(id)
      return shownChannel(after)
    },
    async delete({ id }, { caller }) {
      const before = await find(id)
      await storage.transaction(async (within) => {
        await within.channels.deleteMany({ ids: [id] })
        await record(within, caller, 'delete', [before], [])
      })
      await changed(id)
      return null
    },
  }
}

/** A field that is left empty, where its type has a default for it. */
function withDefault<P extends Pick<Channel, 'type'> & Partial<Pick<Channel, 'other'>>>(channel: P): P {
  const given = providerOf(channel.type)?.other_default
  return given !== undefined && channel.other?.trim() === '' ? { ...channel, other: given } : channel
}

/** The keys of new channels: one for each line, unless all lines are one key, or the keys of one channel. */
function keysIn({ type, key_mode }: Pick<Channel, 'type' | 'key_mode'>, key: string): string[] {
  const whole = providerOf(type)?.key_has_lines === true
  if (key_mode === '') return (whole ? [key] : key.split('\n')).map((line) => line.trim()).filter((line) => line !== '')
  const several = keyTexts({ key, key_mode })
  return several.length === 0 ? [] : [several.join('\n')]
}

type Destination = Pick<KeyedChannel, 'type' | 'base_url' | 'setting'>

/** Would a call send the channel's key, or its headers, to another place than before, or by another way? */
const goesElsewhere = (before: Destination, patch: Partial<Destination>): boolean =>
  isMoved(before, patch) || wayOf({ ...before, ...patch }.setting) !== wayOf(before.setting)

const isMoved = (before: Destination, patch: Partial<Destination>): boolean => {
  const { type, base_url } = { ...before, ...patch }
  return type !== before.type || base_url !== before.base_url
}

/** Masks stand for what is stored, as long as it goes where it went. @throws GatewayError channel.masked */
function settingAfter(before: KeyedChannel, asked: Partial<Destination> & { setting?: string }): string {
  const given = asked.setting ?? before.setting
  if (isMoved(before, asked) && hasMasks(given)) fail('channel.masked', { name: 'setting' })
  return unmaskedSetting(given, before.setting)
}

/** What is remembered of a channel's troubles after a change of it; undefined where nothing of it is touched. */
function infoAfter(
  before: Channel,
  { status, key, key_mode, key_on }: { status?: number; key?: string; key_mode?: string; key_on?: string },
): string | undefined {
  // Whoever switches a channel on switches all of it on.
  if (status === CHANNEL_STATUS.enabled) return ''
  const { keys_off: _known, ...rest } = jsonObject(before.other_info)
  const off = keysOff(before.other_info)
  const isNew = key !== undefined || (key_mode !== undefined && key_mode !== before.key_mode)
  if (!isNew && key_on === undefined) return undefined
  if (key_on !== undefined) delete off[key_on]
  const left = isNew || Object.keys(off).length === 0 ? rest : { ...rest, keys_off: off }
  return Object.keys(left).length === 0 ? '' : JSON.stringify(left)
}

/** @throws GatewayError channel.no_models, channel.model_name, channel.type_unknown, mapping.values, mapping.cycle */
function check(channel: Pick<Channel, 'type' | 'models' | 'model_mapping'>): Provider {
  const provider = providerOf(channel.type) ?? fail('channel.type_unknown', { type: channel.type })
  if (namesIn(channel.models).length === 0) fail('channel.no_models')
  const mapping = jsonObject(channel.model_mapping.trim())
  if (!isTexts(mapping)) fail('mapping.values')
  for (const name of Object.keys(mapping)) upstreamModel(name, mapping)
  for (const name of [...namesIn(channel.models), ...Object.entries(mapping).flat()]) {
    if (/\p{Cc}/u.test(name)) fail('channel.model_name')
  }
  return provider
}

/** What a channel of that type must say to be called at all. @throws GatewayError channel.base_url, channel.other */
function checkFields(provider: Provider, channel: Pick<Channel, 'base_url' | 'other'>): void {
  const { base_url, other } = provider.fields
  if (base_url?.required && channel.base_url === '') fail('channel.base_url')
  if (other?.required) needed(channel, other.label)
  provider.check?.(channel)
}

/** Channels of a type whose service is gone go on; nobody adds one. @throws GatewayError channel.type_retired */
function refuseRetired({ name, retired }: Provider): void {
  if (retired) fail('channel.type_retired', { name, instead: retired })
}

const isTexts = (object: Record<string, unknown>): object is Record<string, string> =>
  Object.values(object).every((value) => typeof value === 'string')
