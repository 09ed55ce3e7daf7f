// Channels: the operator's connections to providers, which calls are routed to.
import type { Feature } from '../feature.ts'
import { channelsContract, KeyedChannelForm, type TriedKey } from './contract.ts'
import { createChannelJobs, type TestRun } from './jobs.ts'
import type { ContractHandlers } from '../auth/caller.ts'
import {
  findAddressSetter,
  buildChannelPatch,
  buildChannelRows,
  createRecordChannels,
  isEdited,
  isUntagged,
  listTags,
} from './changes.ts'
import type { CircuitBreakers } from './circuit-breaker.ts'
import { explainRoute } from './route-explanation.ts'
import { parseSortParameter, sliceFromZero, resolveCursor, buildCursorReply } from '../contract/page.ts'
import { fail, GatewayError } from '../errors.ts'
import { getCallGroup } from '../groups/group.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { RequestSigner } from '../ports/signer.ts'
import type { ChangeStores, Storage } from '../ports/storage.ts'
import type { UpstreamClient } from '../ports/upstream.ts'
import { allProviders, findProvider } from '../providers/index.ts'
import type { ChannelTester, TestChannel, TestResult } from '../relay/channel-test.ts'
import { listFallbackModels } from '../relay/model-candidates.ts'
import type { Settings } from '../settings/index.ts'
import { channelListOrder } from './channel.ts'
import type { ChannelAffinity } from './affinity.ts'
import type { ChannelIndex } from './channel-index.ts'
import { getFailureKind, type ChannelHourCounter, type FailureKind } from './channel-hours.ts'
import { createBulkHandlers } from './bulk-handlers.ts'
import type { AutomaticDisable } from './health.ts'
import { createHealthHandlers } from './health-handlers.ts'
import { maskChannelKey } from './keys.ts'
import { createKeyHandlers } from './keys-handlers.ts'
import { maskChannelSecrets } from './setting-secrets.ts'
import type { ChannelFilter } from './store.ts'

interface ChannelPorts {
  storage: Storage
  clock: Clock
  logger: Logger
  upstream: UpstreamClient
  signer: RequestSigner
  settings(): Settings
  index: ChannelIndex
  switches: AutomaticDisable
  testRun: TestRun
  cooldowns: CircuitBreakers
  affinity: ChannelAffinity
  hours: ChannelHourCounter
  testChannel: ChannelTester
  tryChannel: TestChannel
}

function createChannelHandlers(ports: ChannelPorts): ContractHandlers<typeof channelsContract> {
  const { storage, clock, index, cooldowns, testChannel, tryChannel, settings } = ports
  const changed = (id: number) => storage.announce({ topic: 'channels', id })
  const find = async (id: number, from: ChangeStores = storage) =>
    (await from.channels.find(id)) ?? fail('channel.missing')
  const record = createRecordChannels(ports)

  return {
    ...createBulkHandlers(ports, record),
    ...createHealthHandlers(ports),
    ...createKeyHandlers(ports),
    async list({ p, page_size, id_sort, tag_mode, sort, cursor, totals, ...query }) {
      const filter = toFilter(query)
      const slice = sliceFromZero(p, page_size)
      const way = resolveCursor(
        channelListOrder,
        { sort, cursor, totals },
        slice,
        filter,
        id_sort ? '-id' : '-priority',
      )
      if (tag_mode) {
        const tags = await storage.channels.tags(filter)
        const { offset, limit, order } = way.slice
        const found = await storage.channels.ofTags(tags.slice(offset, offset + limit), order, filter)
        return { data: found.map(maskChannelSecrets), total: tags.length, next_cursor: '' }
      }
      const page = await storage.channels.list(way.slice, filter)
      return { data: page.items.map(maskChannelSecrets), total: page.total, ...buildCursorReply(way, page) }
    },
    async search({ id_sort, tag_mode, sort, ...query }) {
      const order = parseSortParameter(sort || (id_sort ? '-id' : channelListOrder.first))
      const filter = toFilter(query)
      const found = await storage.channels.search(filter, order)
      if (!tag_mode) return found.map(maskChannelSecrets)
      // If one channel of a tag matches, the whole tag is listed, except for the filters by status and type.
      const { status, type } = filter
      const tagged = await storage.channels.ofTags(listTags(found), order, { status, type })
      return [...tagged, ...found.filter(isUntagged)].map(maskChannelSecrets)
    },
    types: async () =>
      allProviders.map(({ type, id, name, base_url, models, needs_key, env, retired, fields }) => ({
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
    get: async ({ id }) => maskChannelSecrets(await find(id)),
    async test({ id, model, key }, { caller }) {
      const channel = await find(id)
      refuseUntestable(channel)
      const { data, time } = toTestReply(await testChannel.test(channel, model, caller.user, key))
      return { data, time }
    },
    async try({ id, model, ...form }, { caller }) {
      const setter = findAddressSetter(caller)
      if (id > 0) {
        const before = await find(id)
        refuseUntestable({ type: form.type ?? before.type })
        return toTestReply(
          await tryChannel({ ...before, ...buildChannelPatch(before, form, settings(), setter) }, model),
          true,
        )
      }
      const rows = buildChannelRows({ ...KeyedChannelForm.parse({}), ...form }, clock, settings(), setter)
      refuseUntestable(rows[0])
      // If the form makes several channels, which differ only in the key, each key is tested.
      const several = rows.length === 1 ? {} : { key: rows.map(({ key }) => key).join('\n'), key_mode: 'turn' }
      return toTestReply(await tryChannel({ ...rows[0], ...UNSTORED, ...several }, model), true)
    },
    async route({ model: asked_model, group: query, token_id, prompt_tokens, without }) {
      const token = token_id > 0 ? ((await storage.tokens.find(token_id)) ?? fail('token.missing')) : undefined
      const owner = token && ((await storage.users.find(token.user_id)) ?? fail('user.missing'))
      const group = query || (token && owner ? getCallGroup(owner.group, token.group, settings()) : 'default')
      const getListedName = (name: string) => index.listedName(group, name) ?? name
      const model = getListedName(asked_model)
      const fallbacks = listFallbackModels(model, group, token ?? { fallback_models: '' }, settings())
      return {
        model,
        group,
        attempts: settings().RetryTimes + 1,
        channels: explainRoute(ports, { group, model, promptTokens: prompt_tokens, without: new Set(without) }),
        fallbacks: fallbacks
          .map(getListedName)
          .filter((name, place, names) => name !== model && names.indexOf(name) === place)
          .map((name) => ({ model: name, channels: index.candidates(group, name).length })),
      }
    },
    async create(form, { caller }) {
      const rows = buildChannelRows(form, clock, settings(), findAddressSetter(caller))
      const made = await storage.transaction(async (within) => {
        const inserted = await within.channels.insert(rows)
        const whole = await Promise.all(inserted.map(({ id }) => find(id, within)))
        await record(within, caller, 'create', [], whole)
        return inserted
      })
      await changed(0)
      return made.map(maskChannelSecrets)
    },
    async update({ id, version, ...form }, { caller }) {
      const before = await find(id)
      const change = buildChannelPatch(before, form, settings(), findAddressSetter(caller))
      const after = await storage.transaction(async (within) => {
        await within.channels.update(id, change, { version, raises: isEdited(before, change) })
        const made = await find(id, within)
        await record(within, caller, 'update', [before], [made])
        return made
      })
      cooldowns.forget(id)
      await changed(id)
      return maskChannelSecrets(after)
    },
    async delete({ id }, { caller }) {
      const before = await find(id)
      await storage.transaction(async (within) => {
        // Of two concurrent deletions the second one finds nothing.
        if ((await within.channels.deleteMany({ ids: [id] })) === 0) fail('channel.missing')
        await record(within, caller, 'delete', [before], [])
      })
      await changed(id)
      return null
    },
  }
}

/** Forms send `null` for any group. */
const toFilter = <F extends ChannelFilter>(query: F): F => (query.group === 'null' ? { ...query, group: '' } : query)

/** @throws GatewayError channel.test_unsupported for drawing and music proxies */
function refuseUntestable({ type }: { type: number }): void {
  if (findProvider(type)?.untestable)
    throw new GatewayError('channel.test_unsupported', {}, { replyFields: { time: 0 } })
}

/**
 * Converts a test result. @param inForm true to name the form field that caused the failure
 * @throws GatewayError channel.test_failed, upstream.unreachable
 */
function toTestReply(result: TestResult, inForm = false): { data: null; time: number; keys: TriedKey[] } {
  const time = result.ms / 1000
  const keys = result.keys.length > 1 ? result.keys.map(triedKey) : []
  if (result.passed) return { data: null, time, keys }
  const { status, message } = result.failure
  const kind = getFailureKind(result.failure)
  // If another key failed for a different reason, no single field is the cause.
  const isOne = result.keys.every((one) => !one.result.passed && getFailureKind(one.result.failure) === kind)
  const field = inForm && isOne ? FIELDS[kind] : undefined
  const more = { cause: result.cause, replyFields: { time, kind, keys }, ...(field ? { field } : {}) }
  const failed = new GatewayError('channel.test_failed', { status, reason: message }, more)
  // Without a response there is no status to report.
  throw failed.network ? new GatewayError('upstream.unreachable', {}, more) : failed
}

/** The form field that causes failures of a kind. */
const FIELDS: Partial<Record<FailureKind, string>> = { key: 'key', network: 'base_url' }

const triedKey = ({ key, result }: TestResult['keys'][number]): TriedKey => ({
  key: maskChannelKey(key.channel.key),
  passed: result.passed,
  ms: Math.round(result.ms),
  status: result.passed ? 0 : result.failure.status,
  error: result.passed ? '' : result.failure.message,
})

/** The stored-only fields of a channel that is not stored. */
const UNSTORED = {
  id: 0,
  slug: '',
  used_quota: 0,
  response_time: 0,
  balance: 0,
  balance_updated_time: 0,
  test_time: 0,
  version: 1,
}

export const channelsFeature: Feature<ChannelPorts, typeof channelsContract> = {
  contract: channelsContract,
  handlers: createChannelHandlers,
  jobs: createChannelJobs,
  sinks: ({ hours }) => [hours.sink],
}
