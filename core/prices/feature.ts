// The prices of models: set one by one, compared with a catalogue, and their history.
import type { Feature } from '../feature.ts'
import { pricesContract } from './contract.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller, ContractHandlers } from '../auth/caller.ts'
import type { ChannelIndex } from '../channels/channel-index.ts'
import { toPageReply, sliceFromOne } from '../contract/page.ts'
import { fail } from '../errors.ts'
import { getModelKind } from '../models/model-facts.ts'
import { isSameModel } from '../models/same-model.ts'
import type { Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { readReplyText, type WebClient } from '../ports/web.ts'
import { listPriceNames } from '../pricing/pattern.ts'
import { findPrice } from '../pricing/price-book.ts'
import { listModelPrices } from '../pricing/price-list.ts'
import { hashVersion } from '../pricing/price-version.ts'
import type { Price } from '../pricing/price.ts'
import { PriceFields } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import type { StatedFacts } from '../settings/models.ts'
import { defaultSettings, type SettingsSnapshot } from '../settings/snapshot.ts'
import { type PriceKey, findStoredPrice, setStoredPrices } from '../settings/stored-price.ts'
import type { RollUp } from '../usage/roll-up.ts'
import type { ModelUsageSum } from '../usage/store.ts'
import { isRoot } from '../users/user.ts'
import { type PriceCatalogue, type CatalogueEntry, isModelName, MAX_CATALOGUE_MODELS } from './catalogue.ts'
import { compareModelPrices, createEntryFinder, estimateBills, type PriceComparison } from './difference.ts'
import { compareFacts, findStoredFacts, setStoredFacts } from './facts-difference.ts'
import {
  buildBuiltinCatalogue,
  isPricingList,
  isRatioTables,
  readPricingList,
  readRatioTables,
} from './gateway-lists.ts'
import { isLiteLlm, readLiteLlm } from './litellm.ts'
import { buildCallPrice } from './merge.ts'
import { listModelUses } from './model-uses.ts'
import { isModelsDev, readModelsDev } from './models-dev.ts'
import { listBoughtPrices, buildPriceRow, listSoldNames } from './price-rows.ts'
import { buildPriceChange, previewModelPrice, previewPriceTables } from './trial.ts'

// Detects the format of a list by its content, and reads its prices.

/** Longest text of a list, in characters. */
const LONGEST_LIST = 16 * 1024 * 1024

/**
 * @param provider whose offers, of a list that has several providers'; empty for all
 * @throws GatewayError prices.not_json, prices.unknown_list, prices.too_many, prices.empty_list
 */
export function readCatalogue(text: string, provider = ''): PriceCatalogue {
  if (text.length > LONGEST_LIST) fail('prices.too_many', { most: MAX_CATALOGUE_MODELS })
  const catalogue = read(parse(text), provider)
  const { entries, skipped } = catalogue
  if (entries.length + skipped.length > MAX_CATALOGUE_MODELS) fail('prices.too_many', { most: MAX_CATALOGUE_MODELS })
  if (entries.length === 0) fail('prices.empty_list')
  return catalogue
}

function read(list: unknown, provider: string): PriceCatalogue {
  if (isPricingList(list)) return readPricingList(list)
  if (isRatioTables(list)) return readRatioTables(list)
  if (isModelsDev(list)) return readModelsDev(list, provider)
  if (isLiteLlm(list)) return readLiteLlm(list)
  return fail('prices.unknown_list')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    return fail('prices.not_json', {}, { cause })
  }
}

interface PricesPorts {
  storage: Storage
  snapshot: SettingsSnapshot
  index: ChannelIndex
  web: WebClient
  clock: Clock
  rollUp: RollUp
}

/** A list of prices is long, and comes slowly. */
const FETCH_MS = 30_000

/** A missing field stays as it is; null removes it. */
type StoredPriceChange = PriceKey & {
  price?: PriceFields | null | undefined
  version?: string | undefined
  facts?: StatedFacts | null | undefined
  facts_version?: string | undefined
}

const NO_USE: Pick<ModelUsageSum, 'users' | 'calls' | 'refused' | 'charged'> = { users: 0, calls: 0, charged: 0 }

function createPricesHandlers({
  storage,
  snapshot,
  index,
  web,
  clock,
  rollUp,
}: PricesPorts): ContractHandlers<typeof pricesContract> {
  const settings = () => snapshot.current()
  const servedModels = () => new Set(index.allModels())
  const toPriceLines = (model: string, price: Price | null) =>
    price ? [...listModelPrices(price, getModelKind(model, settings()['models.facts']))] : []
  const used = (days?: number) => listModelUses({ storage, clock, rollUp }, days)
  function buildRows(all: readonly PriceKey[], keyword = '') {
    const served = servedModels()
    const [now, defaults] = [settings(), defaultSettings()]
    return all
      .filter(({ model }) => model.toLowerCase().includes(keyword.toLowerCase()))
      .map((of) => buildPriceRow(of, now, defaults, (model) => served.has(model)))
      .sort((a, b) => (a.model === b.model ? (a.channel < b.channel ? -1 : 1) : a.model < b.model ? -1 : 1))
  }
  /** @param changesOf works out what is changed from what is stored */
  async function store(caller: Caller, source: string, changesOf: (current: Settings) => readonly StoredPriceChange[]) {
    let changed: readonly StoredPriceChange[] = []
    await snapshot.change(
      (current) => {
        changed = changesOf(current)
        authorize(caller, changed)
        const moved = changed.filter((change) => isMoved(change, current)).map(({ model }) => model)
        if (moved.length > 0) fail('prices.changed', { models: [...new Set(moved)].slice(0, 20).join(', ') })
        const prices = changed.flatMap(({ price, ...of }) => (price === undefined ? [] : [{ ...of, price }]))
        const facts = changed.flatMap(({ model, facts }) => (facts === undefined ? [] : [{ model, facts }]))
        return [...setStoredPrices(prices, current), ...setStoredFacts(facts, current)]
      },
      toAuditAuthor(caller),
      source || 'own',
    )
    return buildRows(changed.map(({ channel, model }) => ({ channel, model })))
  }

  return {
    async list({ keyword, all, bought }) {
      if (bought) return buildRows(listBoughtPrices(settings()), keyword)
      const [current, defaults] = [settings(), defaultSettings()]
      const isOwn = (model: string) => {
        const of = { channel: '', model }
        return hashVersion(findStoredPrice(of, current)) !== hashVersion(findStoredPrice(of, defaults))
      }
      const sold = listSoldNames(current)
      const names = new Set([...index.allModels(), ...(all ? sold : sold.filter(isOwn))])
      return buildRows(
        [...names].map((model) => ({ channel: '', model })),
        keyword,
      )
    },
    async set({ version, source, ...requested }, { caller }) {
      const { model, channel } = requested
      const [row] = await store(caller, source, (current) => [
        { channel, model, price: buildPriceChange(requested, current), version },
      ])
      return row!
    },
    async remove({ model, channel, version }, { caller }) {
      const [row] = await store(caller, 'own', (current) => {
        if (!findStoredPrice({ channel, model }, current)) fail('prices.missing', { model })
        return [{ channel, model, price: null, version }]
      })
      return row!
    },
    async missing() {
      const [current, served, uses] = [settings(), servedModels(), await used()]
      return [...new Set([...served, ...uses.keys()])]
        .filter((model) => model !== '' && !findPrice(model, current, false))
        .map((model) => {
          const { users, calls, refused = 0, charged } = uses.get(model) ?? NO_USE
          return { model, served: served.has(model), users, calls: calls + refused, charged }
        })
        .sort((a, b) => b.calls - a.calls || (a.model < b.model ? -1 : 1))
    },
    async history({ model, channel, ...query }) {
      const { items, total } = await storage.settings.priceChanges({ model, channel }, sliceFromOne(query))
      const current = settings()
      const shown = items.map(({ before, after, ...change }) => {
        const [from, to] = [parsePrice(before), parsePrice(after)]
        const lines = (fields: PriceFields | null) =>
          toPriceLines(change.model, buildCallPrice(change.model, fields, current))
        return { ...change, from, to, was: lines(from), became: lines(to) }
      })
      return toPageReply(query, { items: shown, total })
    },
    async preview({ file, address, changes = [], days, provider, models, all }) {
      if ([file, address, changes[0]].filter((one) => one !== undefined).length > 1) fail('prices.one_source')
      const current = settings()
      const [served, uses] = [servedModels(), await used(days)]
      const here = [...served, ...uses.keys()]
      const shown = (model: string, { now, there, ...row }: PriceComparison, entry: CatalogueEntry = UNKNOWN) => {
        const { context, longest, reads, writes, provider, date } = entry
        return {
          model,
          ...row,
          served: served.has(model),
          now: toPriceLines(model, now),
          there: toPriceLines(model, there),
          as: entry.model === model ? '' : entry.model,
          provider,
          date,
          context,
          longest,
          reads: [...reads],
          writes: [...writes],
          ...compareFacts(model, isListedAs(model, entry) ? entry : undefined, current),
          ...estimateBills(uses.get(model), { now, there }, current.QuotaPerUnit),
        }
      }
      const sorted = (rows: ReturnType<typeof shown>[]) => rows.sort((a, b) => (a.model < b.model ? -1 : 1))
      if (changes.length > 0) {
        const requested = changes.map(({ model, ...priceInput }) => ({ channel: '', model, ...priceInput }))
        for (const { model } of requested) if (!isModelName(model)) fail('prices.name', { model })
        const prices = requested.map((one) => ({
          channel: '',
          model: one.model,
          price: buildPriceChange(one, current),
        }))
        const after = previewPriceTables(prices, current)
        const requestedModels = new Set(requested.map(({ model }) => model))
        const data = [...new Set([...requestedModels, ...here])].map((model) =>
          shown(model, previewModelPrice(model, current, after)),
        )
        return {
          data: sorted(data.filter(({ model, status }) => requestedModels.has(model) || status !== 'same')),
          source: 'own',
          shape: 'own' as const,
          skipped: [],
        }
      }
      const { source, catalogue } = await open(web, { file, address, provider })
      const find = createEntryFinder(catalogue.entries)
      const known = [...here, ...(all ? listSoldNames(current) : changedNames(current))]
      const names = new Set(
        models.length > 0 ? models : [...known, ...(all ? catalogue.entries.map(({ model }) => model) : [])],
      )
      const rows = [...names].filter(isModelName).map((model) => {
        const entry = find(model)
        return shown(model, compareModelPrices(model, entry, current), entry)
      })
      return { data: sorted(rows), source, shape: catalogue.shape, skipped: catalogue.skipped }
    },
    async undo({ change: id, force }, { caller }) {
      const { settings } = storage
      const change = (await settings.priceChange(id)) ?? fail('prices.change_missing', { id })
      const { model, channel, before, after } = change
      const last = force ? change : await settings.lastPriceChange(change)
      if (last && last.id !== id) fail('prices.later_change', { model, id, last: last.id })
      const version = force ? undefined : hashVersion(parsePrice(after))
      const [row] = await store(caller, `undo ${id}`, () => [{ channel, model, price: parsePrice(before), version }])
      return row!
    },
    apply: ({ source, changes }, { caller }) => store(caller, source, () => changes),
  }
}

const UNKNOWN = {
  model: '',
  provider: '',
  date: '',
  context: 0,
  longest: 0,
  reads: [],
  writes: [],
  price: {},
} satisfies CatalogueEntry

/**
 * Returns true if the entry is the model's own. A variant with another effort shares the price of a model, and has
 * separate facts.
 */
const isListedAs = (model: string, entry: CatalogueEntry): boolean =>
  listPriceNames(model).some((name) => isSameModel(name, entry.model))

/** Models whose price was set here. */
function changedNames(current: Settings): string[] {
  const defaults = defaultSettings()
  const version = (model: string, of: Settings) => hashVersion(findStoredPrice({ channel: '', model }, of))
  return listSoldNames(current).filter((model) => version(model, current) !== version(model, defaults))
}

/** Returns true if the price or the facts changed after the caller read them. */
const isMoved = ({ version, facts_version, ...of }: StoredPriceChange, current: Settings): boolean =>
  (version !== undefined && version !== hashVersion(findStoredPrice(of, current))) ||
  (facts_version !== undefined && facts_version !== hashVersion(findStoredFacts(of.model, current)))

/** Requires the super administrator for purchase prices, as in the settings. */
function authorize(caller: Caller, changes: readonly StoredPriceChange[]): void {
  for (const { channel, model } of changes) {
    if (channel === '' ? !isModelName(model) : model === '__proto__') fail('prices.name', { model })
    if (channel === '' || caller.via === 'local' || (caller.user && isRoot(caller.user))) continue
    fail('setting.root_only', { key: 'ChannelPrice' })
  }
}

/** A row that this version cannot read is as if there had been no price. */
function parsePrice(text: string): PriceFields | null {
  if (text === '') return null
  return PriceFields.safeParse(JSON.parse(text)).data ?? null
}

interface CatalogueRequest {
  file: string | undefined
  address: string | undefined
  provider: string
}

/** @throws GatewayError prices.*, web.* */
async function open(
  web: WebClient,
  { file, address, provider }: CatalogueRequest,
): Promise<{ source: string; catalogue: PriceCatalogue }> {
  if (file !== undefined) return { source: 'file', catalogue: readCatalogue(file, provider) }
  if (address === undefined) return { source: 'builtin', catalogue: buildBuiltinCatalogue() }
  const reply = await web.send({
    method: 'GET',
    url: address,
    headers: { accept: 'application/json' },
    timeout_ms: FETCH_MS,
    max_bytes: LONGEST_LIST,
    by_worker: true,
  })
  if (reply.status !== 200) fail('prices.address_status', { status: reply.status })
  const { origin, pathname } = new URL(address)
  // The query of the address may contain a key.
  return { source: `${origin}${pathname}`.slice(0, 300), catalogue: readCatalogue(readReplyText(reply), provider) }
}

export const pricesFeature: Feature<PricesPorts, typeof pricesContract> = {
  contract: pricesContract,
  handlers: createPricesHandlers,
}
