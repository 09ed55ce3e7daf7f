// Prices of models; they are settings, and have no store.
import type { Feature } from '../feature.ts'
import { type PricedModel, pricingContract } from './contract.ts'
import type { ContractHandlers } from '../auth/caller.ts'
import { getUpstreamModelName } from '../channels/routed-channel.ts'
import type { ChannelIndex } from '../channels/channel-index.ts'
import { getGroupRatio, listUsableGroups } from '../groups/group.ts'
import { findModelFacts, getModelKind } from '../models/model-facts.ts'
import type { Operation } from '../models/operation.ts'
import { findEndDay } from '../providers/ended.ts'
import { findProvider } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import { parseUserSetting, type User } from '../users/user.ts'
import { findPrice } from './price-book.ts'
import { buildTierList, listModelPrices } from './price-list.ts'
import type { Price } from './price.ts'

// The price list: every model that the viewer can call, those without a price as such.

interface PricingPorts {
  index: ChannelIndex
  settings(): Settings
}

function createPricingHandlers(ports: PricingPorts): ContractHandlers<typeof pricingContract> {
  return {
    async list(_, { caller }) {
      const settings = ports.settings()
      const userGroup = caller.user?.group ?? ''
      const usable = Object.entries(listUsableGroups(userGroup, settings)).filter(([group]) =>
        Object.hasOwn(settings.GroupRatio, group),
      )
      const groups = usable.map(([group]) => group)
      return {
        data: pricedModels(ports.index, groups, settings, caller.user),
        group_ratio: Object.fromEntries(groups.map((group) => [group, getGroupRatio(group, settings, userGroup)])),
        usable_group: Object.fromEntries(usable),
      }
    },
  }
}

function pricedModels(index: ChannelIndex, groups: string[], settings: Settings, user: User | null): PricedModel[] {
  const acceptUnset =
    settings.SelfUseModeEnabled || (user && parseUserSetting(user).accept_unset_model_ratio_model) === true
  return index.models(groups).flatMap((model_name) => {
    const price = findPrice(model_name, settings, acceptUnset)
    if (!price) return []
    const enable_groups = groups.filter((group) => index.tiers(group, model_name).length > 0)
    const channel = index.candidates(enable_groups[0] ?? '', model_name)[0]
    const owner_by = (channel && findProvider(channel.type)?.id) ?? 'custom'
    const has_price = findPrice(model_name, settings, false) !== null
    const ended = channel && findEndDay(channel.type, getUpstreamModelName(model_name, channel.mapping))
    const kind = getModelKind(model_name, settings['models.facts'])
    const shown = { model_name, ...shownPrice(price, kind), owner_by, enable_groups, has_price, kind }
    return [{ ...shown, ...(ended ? { ended } : {}), ...shownFacts(model_name, settings) }]
  })
}

/** The facts that are known. */
function shownFacts(model: string, settings: Settings) {
  const { context = 0, output = 0, reads = [], writes = [] } = findModelFacts(model, settings['models.facts']) ?? {}
  return {
    ...(context > 0 ? { context } : {}),
    ...(output > 0 ? { longest: output } : {}),
    ...(reads.length > 0 ? { reads: [...reads] } : {}),
    ...(writes.length > 0 ? { writes: [...writes] } : {}),
  }
}

/** The fields of the specification, those it has not, and the same in dollars. */
function shownPrice(price: Price, kind: Operation) {
  const { kind: _kind, tiers = {}, ...fields } = price
  const none = { model_price: 0, model_ratio: 0, completion_ratio: 0 }
  const quota_type = price.kind === 'per_call' ? (1 as const) : (0 as const)
  return { quota_type, ...none, ...fields, prices: [...listModelPrices(price, kind)], tiers: buildTierList(tiers) }
}

export const pricingFeature: Feature<PricingPorts, typeof pricingContract> = {
  contract: pricingContract,
  handlers: createPricingHandlers,
}
