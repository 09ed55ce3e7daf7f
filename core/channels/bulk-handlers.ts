// The channel endpoints for several channels, and for data that a provider reports.
import type { HandlerContext, ContractHandlers } from '../auth/caller.ts'
import type { AuditChannelChanges } from './changes.ts'
import { findAddressSetter, applyTagChange, buildChannelPatch, isEdited, normalizeChannelPatch } from './changes.ts'
import type { AutomaticDisable } from './health.ts'
import { findLostModels } from './impact.ts'
import { type ChannelAccount, createChannelFetch, fetchBalance, listProviderModels } from './provider-requests.ts'
import { NEWEST_FIRST } from '../contract/page.ts'
import { fail } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { ChangeStores, Storage, WriteTransaction } from '../ports/storage.ts'
import type { RequestSigner } from '../ports/signer.ts'
import type { UpstreamClient } from '../ports/upstream.ts'
import { findProvider, allProviders } from '../providers/index.ts'
import type { channelBulkContract } from './bulk-contract.ts'
import type { ChannelIndex } from './channel-index.ts'
import { CHANNEL_STATUS, type Channel, type ChannelWithKey } from './channel.ts'
import type { Settings } from '../settings/index.ts'
import type { TestRun } from './jobs.ts'
import type { SharedChannelPatch } from './store.ts'
import { reenableChannelKeys } from './keys.ts'
import { maskChannelSecrets } from './setting-secrets.ts'

export interface BulkPorts {
  storage: Storage
  clock: Clock
  logger: Logger
  upstream: UpstreamClient
  signer: RequestSigner
  switches: AutomaticDisable
  index: ChannelIndex
  testRun: TestRun
  settings(): Settings
}

/** Providers asked at the same time. */
const AT_ONCE = 8
const NAME_LENGTH = 100
/** A repair changes stored values, regardless of the version that the user read. */
const REPAIR = { version: undefined, raises: true }

export function createBulkHandlers(
  ports: BulkPorts,
  record: AuditChannelChanges,
): ContractHandlers<typeof channelBulkContract> {
  const { storage, clock, switches, testRun } = ports
  const find = async (id: number, from: ChangeStores = storage) =>
    (await from.channels.find(id)) ?? fail('channel.missing')
  const changed = () => storage.announce({ topic: 'channels', id: 0 })

  const chosen = async (isChosen: (channel: ChannelWithKey) => boolean, within: WriteTransaction) =>
    (await within.channels.all()).filter(isChosen)

  /** Does something to several, and records what it made of each. */
  async function recorded<T>(
    { caller }: HandlerContext,
    action: string,
    isChosen: (channel: ChannelWithKey) => boolean,
    work: (within: WriteTransaction) => Promise<T>,
  ): Promise<T> {
    const done = await storage.transaction(async (within) => {
      const before = await chosen(isChosen, within)
      const result = await work(within)
      const ids = new Set(before.map(({ id }) => id))
      await record(within, caller, action, before, await chosen(({ id }) => ids.has(id), within))
      return result
    })
    await changed()
    return done
  }
  type Which = { ids: number[] } | { tag: string }
  const createMatcher = (which: Which) => {
    if ('tag' in which) return ({ tag }: ChannelWithKey) => tag === which.tag
    const ids = new Set(which.ids)
    return ({ id }: ChannelWithKey) => ids.has(id)
  }
  const change = (context: HandlerContext, which: Which, patch: SharedChannelPatch) =>
    recorded(context, 'update', createMatcher(which), (within) =>
      within.channels.updateMany(which, patch, { raises: isEdited({}, patch) }),
    )
  /** Enables channels together with those of their keys that were disabled automatically. */
  const enable = (context: HandlerContext, which: Which) =>
    recorded(context, 'update', createMatcher(which), async (within) => {
      const partly = (await chosen(createMatcher(which), within)).filter(reenableChannelKeys)
      const on = { status: CHANNEL_STATUS.enabled, other_info: '' }
      const count = await within.channels.updateMany(which, on, { raises: false })
      for (const channel of partly)
        await within.channels.update(channel.id, { other_info: reenableChannelKeys(channel) })
      return count
    })
  async function updateBalance(channel: ChannelWithKey): Promise<number> {
    const balance = await fetchBalance(channel, ports)
    await storage.channels.update(channel.id, { balance, balance_updated_time: seconds(clock) })
    return balance
  }
  const named = (tag: string) => (tag.trim() === '' ? fail('channel.tag_empty') : tag.trim())
  async function listTagged(tag: string): Promise<Channel[]> {
    const found = await storage.channels.ofTags([named(tag)], NEWEST_FIRST)
    return found.length > 0 ? found : fail('channel.tag_unknown', { tag: named(tag) })
  }

  return {
    models: async () => {
      const owners = new Map(
        allProviders.flatMap(({ id: owner, models }) => models.map((name) => [name, owner] as const)),
      )
      return [...owners].map(([id, owned_by]) => ({ id, object: 'model' as const, owned_by }))
    },
    modelsByType: async () => Object.fromEntries(allProviders.map(({ type, models }) => [String(type), models])),
    async testAll(_, { caller }) {
      if (!testRun.start(caller.user)) fail('channel.testing')
      return null
    },
    updateBalance: async ({ id }) => ({ data: null, balance: await updateBalance(await find(id)) }),
    async updateBalances() {
      const enabled = (await storage.channels.all()).filter(({ status }) => status === CHANNEL_STATUS.enabled)
      const outcome = { updated: 0, failed: 0 }
      const left = [...enabled]
      const work = async () => {
        for (let channel = left.shift(); channel; channel = left.shift()) {
          try {
            if ((await updateBalance(channel)) <= 0) await switches.off(channel.id, 'Balance used up')
            outcome.updated += 1
          } catch (error) {
            outcome.failed += 1
            ports.logger.info('no balance was told', { channel: channel.id, error: String(error) })
          }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      return outcome
    },
    async fetchModels({ id }) {
      const channel = await find(id)
      return listProviderModels(channel, createChannelFetch(ports.upstream, channel), ports.signer)
    },
    async fetchModelsNew({ base_url, type, key }, { caller }) {
      const [first = ''] = key.split('\n').map((line) => line.trim())
      if (first === '' && findProvider(type)?.needs_key !== false) fail('channel.key')
      // An administrator may query an address that their channels may call.
      const account: ChannelAccount = {
        ...{ type, base_url, key: first, key_mode: '', openai_organization: '', other: '', setting: '' },
        address_by: findAddressSetter(caller),
      }
      return listProviderModels(account, createChannelFetch(ports.upstream, account), ports.signer)
    },
    async copy({ id }, { caller }) {
      const { id: _id, slug: _slug, used_quota: _used, version: _version, ...channel } = await find(id)
      const name = `${channel.name.slice(0, NAME_LENGTH - 5)} copy`
      const copy = await storage.transaction(async (within) => {
        const [made] = await within.channels.insert([{ ...channel, name, created_time: seconds(clock) }])
        if (!made) fail('channel.copy')
        const fresh = { response_time: 0, test_time: 0, balance: 0, balance_updated_time: 0 }
        await within.channels.update(made.id, fresh)
        const whole = await find(made.id, within)
        await record(within, caller, 'copy', [], [whole])
        return whole
      })
      await changed()
      return maskChannelSecrets(copy)
    },
    async deleteDisabled(_, context) {
      const statuses: number[] = [CHANNEL_STATUS.disabled, CHANNEL_STATUS.auto_disabled]
      const isOff = ({ status }: ChannelWithKey) => statuses.includes(status)
      return recorded(context, 'delete', isOff, (within) => within.channels.deleteMany({ statuses }))
    },
    async deleteMany({ ids }, context) {
      if (ids.length === 0) fail('channel.none_to_delete')
      const isNamed = ({ id }: ChannelWithKey) => ids.includes(id)
      return recorded(context, 'delete', isNamed, (within) => within.channels.deleteMany({ ids }))
    },
    async tagMany({ ids, tag }, context) {
      if (ids.length === 0) fail('channel.none_to_tag')
      return change(context, { ids }, { tag: tag === null ? null : named(tag) })
    },
    switchMany: ({ ids, status }, context) =>
      status === CHANNEL_STATUS.enabled ? enable(context, { ids }) : change(context, { ids }, { status }),
    async updateTag({ tag, ...tagFields }, context) {
      await listTagged(tag)
      const setter = findAddressSetter(context.caller)
      const isTagged = createMatcher({ tag: named(tag) })
      return recorded(context, 'update', isTagged, async (within) => {
        const ofTag = await chosen(isTagged, within)
        const changes = ofTag.map((channel) => {
          const patch = buildChannelPatch(channel, applyTagChange(channel, tagFields), ports.settings(), setter)
          return { channel, patch, raises: isEdited(channel, patch) }
        })
        if (!changes.some(({ raises }) => raises)) fail('channel.no_changes')
        for (const { channel, patch, raises } of changes)
          await within.channels.update(channel.id, patch, { version: channel.version, raises })
        return ofTag.length
      })
    },
    async enableTag({ tag }, context) {
      await listTagged(tag)
      return enable(context, { tag: named(tag) })
    },
    async disableTag({ tag }, context) {
      await listTagged(tag)
      return change(context, { tag: named(tag) }, { status: CHANNEL_STATUS.disabled })
    },
    async consequences({ ids, tag }) {
      const ofTag = tag.trim() === '' ? [] : await listTagged(tag)
      return findLostModels(ports.index, [...ids, ...ofTag.map(({ id }) => id)])
    },
    async repair(_, context) {
      const tidied = ({ models, group }: Channel) => normalizeChannelPatch({ models, group })
      const isUntidy = (channel: ChannelWithKey) => {
        const { models, group } = tidied(channel)
        return models !== channel.models || group !== channel.group
      }
      return recorded(context, 'update', isUntidy, async (within) => {
        const untidy = await chosen(isUntidy, within)
        for (const channel of untidy) await within.channels.update(channel.id, tidied(channel), REPAIR)
        return untidy.length
      })
    },
  }
}
