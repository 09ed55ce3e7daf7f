// The channel endpoints.
import type { Handlers } from '../auth/handler.ts'
import { sliceFromZero } from '../contract/page.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import { seconds } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { Upstream } from '../ports/upstream.ts'
import { providers, providerOf } from '../providers/index.ts'
import { failureOf } from '../relay/failure.ts'
import { upstreamModel } from '../relay/mapping.ts'
import { probe } from '../relay/probe.ts'
import type { Settings } from '../settings/index.ts'
import { CHANNEL_STATUS, jsonObject, namesIn, type Channel } from './channel.ts'
import { routed, type ChannelIndex } from './channel-index.ts'
import type { channels } from './contract.ts'
import type { NewChannel } from './store.ts'

interface Ports {
  storage: Storage
  upstream: Upstream
  clock: Clock
  index: ChannelIndex
  settings(): Settings
}

/** Key types whose key is one text of several lines. */
const WHOLE_KEY_TYPES = new Set([41])

export function createChannelHandlers({ storage, upstream, clock, index, settings }: Ports): Handlers<typeof channels> {
  const changed = (id: number) => storage.announce({ topic: 'channels', id })
  const find = async (id: number) => (await storage.channels.find(id)) ?? fail('channel.missing')

  return {
    list: ({ p, page_size, id_sort }) => storage.channels.list(sliceFromZero(p, page_size), { idSort: id_sort }),
    search: ({ id_sort, tag_mode: _later, ...query }) => storage.channels.search(query, { idSort: id_sort }),
    types: async () =>
      providers.map(({ type, id, name, base_url, models, needs_key, env, fields }) => ({
        type,
        id,
        name,
        base_url,
        models,
        needs_key,
        ...(env ? { env } : {}),
        fields,
      })),
    modelsEnabled: async () => index.allModels(),
    get: ({ id }) => find(id),
    async test({ id, model }) {
      const channel = routed(await find(id))
      const time = await probe(channel, model, { upstream, clock, settings: settings() }).catch((error: unknown) => {
        const { status, message } = failureOf(error)
        return fail('channel.test_failed', { status, reason: message }, { cause: error })
      })
      await storage.channels.update(id, { test_time: seconds(clock), response_time: Math.round(time) })
      return { data: null, time: time / 1000 }
    },
    async create({ key, ...channel }) {
      const provider = providerOf(channel.type) ?? fail('channel.type_unknown', { type: channel.type })
      const lines = WHOLE_KEY_TYPES.has(channel.type) ? [key] : key.split('\n')
      const keys = lines.map((line) => line.trim()).filter((line) => line !== '')
      if (channel.name === '' || (provider.needs_key && keys.length === 0)) fail('channel.name_key')
      check(channel)
      const blank = { status: CHANNEL_STATUS.enabled, other_info: '', created_time: seconds(clock) }
      const rows = (keys.length > 0 ? keys : ['']).map((each): NewChannel => ({ ...channel, ...blank, key: each }))
      const made = await storage.channels.insert(rows)
      await changed(0)
      return made
    },
    async update({ id, key, ...patch }) {
      const before = await find(id)
      check({ ...before, ...patch })
      const enabled = patch.status === CHANNEL_STATUS.enabled ? { other_info: '' } : {}
      await storage.channels.update(id, { ...patch, ...enabled, ...(key?.trim() ? { key: key.trim() } : {}) })
      await changed(id)
      return find(id)
    },
    async delete({ id }) {
      await find(id)
      await storage.channels.delete(id)
      await changed(id)
      return null
    },
  }
}

/** @throws GatewayError channel.no_models, channel.type_unknown, request.invalid, mapping.cycle */
function check(channel: Pick<Channel, 'type' | 'models' | 'model_mapping'>): void {
  if (!providerOf(channel.type)) fail('channel.type_unknown', { type: channel.type })
  if (namesIn(channel.models).length === 0) fail('channel.no_models')
  const mapping = jsonObject(channel.model_mapping.trim())
  if (!isTexts(mapping)) fail('request.invalid', { reason: 'model_mapping: every value must be a model name' })
  for (const name of Object.keys(mapping)) upstreamModel(name, mapping)
}

const isTexts = (object: Record<string, unknown>): object is Record<string, string> =>
  Object.values(object).every((value) => typeof value === 'string')
