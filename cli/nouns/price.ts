// Display of prices: amount, source, and the values of a catalogue.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate, toWords, type Language, type Words } from '../../core/errors.ts'
import type { PricedModel } from '../../core/pricing/contract.ts'
import { findComponent } from '../../core/pricing/components.ts'
import { words } from '../texts.ts'
import type { OutputView, ViewField } from '../output/view.ts'
import { count, flag, list, money, number, object, text, time, word } from '../output/view.ts'

type Data<F extends (...given: never[]) => Promise<{ data: readonly unknown[] } | readonly unknown[]>> =
  Awaited<ReturnType<F>> extends { data: readonly (infer R)[] }
    ? R
    : Awaited<ReturnType<F>> extends readonly (infer R)[]
      ? R
      : never

export type PriceRow = Data<WeirClient['prices']['list']>
export type PriceSyncDifference = Data<WeirClient['prices']['preview']>
export type PriceHistoryEntry = Awaited<ReturnType<WeirClient['prices']['history']>>['items'][number]
export type MissingPrice = Data<WeirClient['prices']['missing']>
type DifferenceLine = PriceSyncDifference['now'][number]

const SOURCES = {
  own: words('own'),
  default: words('default'),
  family: words('as its family'),
  none: words('none'),
}
const STATUSES = {
  new: words('new', { context: 'price' }),
  changed: words('changed'),
  same: words('same'),
  only_here: words('only here'),
}

const findUsd = (lines: readonly DifferenceLine[], component: string) =>
  lines.find((line) => line.component === component && line.label === undefined)?.usd

/** Declares a field of dollars per 1M tokens, or per piece if the component is not counted in tokens. */
const dollars = <T>(title: Words, rank: number, of: (row: T) => readonly DifferenceLine[], component: string) =>
  number<T>(title, rank, (row) => findUsd(of(row), component))

/** Returns the price per call, or per picture for models without a price of the input. */
const perPiece = (lines: readonly DifferenceLine[]) =>
  findUsd(lines, 'call') ?? (findUsd(lines, 'input') === undefined ? findUsd(lines, 'image') : undefined)

/** A price; an ordinary user sees the amounts alone. */
type ShownPriceRow = Pick<PriceRow, 'model'> & Partial<Omit<PriceRow, 'prices'>> & { prices: PricedModel['prices'] }

/** Returns the price that a list for every user has. */
export const toOwnPrice = ({ model_name, prices }: PricedModel): ShownPriceRow => ({ model: model_name, prices })

const getPrices = ({ prices }: ShownPriceRow) => prices

export const modelPriceView: OutputView<ShownPriceRow> = {
  model: text(words('MODEL'), 1, ({ model }) => model, { flexible: true, tone: () => 'strong' }),
  source: word(words('PRICE'), 2, SOURCES, ({ source }) => source, {
    tone: ({ source }) => (source === 'none' ? 'bad' : source === 'own' ? 'good' : 'plain'),
  }),
  input: dollars(words('INPUT $/1M'), 1, getPrices, 'input'),
  output: dollars(words('OUTPUT $/1M'), 1, getPrices, 'output'),
  cache_read: dollars(words('CACHED $/1M'), 3, getPrices, 'cache_read'),
  call: number(words('$/CALL'), 3, ({ prices }) => perPiece(prices)),
  video: dollars(words('$/SECOND'), 0, getPrices, 'video'),
  as: text(words('PRICED AS'), 4, (row) => (row.as === row.model ? null : row.as || null), { flexible: true }),
  served: flag(words('SERVED'), 4, ({ served }) => served),
  channel: text(words('BOUGHT FROM'), 0, ({ channel }) => channel || null),
  version: text(words('VERSION'), 0, ({ version }) => version),
  prices: object(words('PRICES'), ({ prices }) => prices),
  price: object(words('RATIOS'), ({ price }) => price),
}

const usageFields = <T extends { users: number; calls: number; charged: number }>() =>
  ({
    users: count<T>(words('USERS', { context: 'count' }), 3, ({ users }) => users || null),
    calls: count<T>(words('CALLS'), 2, ({ calls }) => calls || null),
    charged: money<T>(words('CHARGED'), 2, ({ charged }) => charged || null),
  }) satisfies Record<string, ViewField<T>>

export const missingPriceView: OutputView<MissingPrice> = {
  model: text(words('MODEL'), 1, ({ model }) => model, { flexible: true, tone: () => 'strong' }),
  served: flag(words('SERVED'), 2, ({ served }) => served),
  ...usageFields<MissingPrice>(),
}

const TIERS: Readonly<Record<string, Words>> = {
  'tiers.prompt': words('tiers by length'),
  'tiers.service': words('tiers by service'),
  'tiers.time': words('tiers by time'),
  'tiers.cache': words('tiers of the cache'),
}
const partName = (name: string): Words => TIERS[name] ?? findComponent(name)?.label ?? toWords(name)

const FACTS: Readonly<Record<PriceSyncDifference['facts_differ'][number], Words>> = {
  context: words('context'),
  output: words('longest answer'),
  kind: words('kind'),
  reads: words('what it reads'),
  writes: words('what it writes'),
}

/** Formats a difference as `context 200000 → 1000000`. */
function factText(
  { facts_now, facts_there }: PriceSyncDifference,
  name: keyof typeof FACTS,
  language: Language,
): string {
  const value = (facts: PriceSyncDifference['facts_now']) => [facts[name] ?? '–'].flat().join(' ')
  return `${FACTS[name][language]} ${value(facts_now)} → ${value(facts_there)}`
}

/** Returns whether the catalogue has a new price or new facts. */
export const hasPriceDifference = ({ status, to, facts_differ }: PriceSyncDifference): boolean =>
  ((status === 'new' || status === 'changed') && to !== null) || facts_differ.length > 0

export const priceDifferenceView: OutputView<PriceSyncDifference> = {
  model: text(words('MODEL'), 1, ({ model }) => model, { flexible: true, tone: () => 'strong' }),
  status: word(words('STATUS'), 1, STATUSES, ({ status }) => status, {
    tone: ({ status }) => (status === 'changed' ? 'careful' : status === 'new' ? 'good' : 'faint'),
  }),
  input: dollars(words('INPUT $/1M'), 2, ({ now }) => now, 'input'),
  input_there: dollars(words('INPUT THERE'), 1, ({ there }) => there, 'input'),
  output: dollars(words('OUTPUT $/1M'), 2, ({ now }) => now, 'output'),
  output_there: dollars(words('OUTPUT THERE'), 1, ({ there }) => there, 'output'),
  differs: list(words('DIFFERS'), 1, ({ differs }) => differs, {
    flexible: true,
    shown: ({ differs }, { language }) => differs.map((name) => partName(name)[language]).join(', '),
  }),
  facts_differ: list(words('FACTS'), 3, ({ facts_differ }) => facts_differ, {
    flexible: true,
    shown: (row, { language }) => row.facts_differ.map((name) => factText(row, name, language)).join(', '),
  }),
  ...usageFields<PriceSyncDifference>(),
  would_charge: money(words('WOULD BE'), 2, (row) => row.would_charge || null),
  provider: text(words('PROVIDER'), 4, ({ provider }) => provider || null, { flexible: true }),
  date: text(words('AS OF', { context: 'date' }), 4, ({ date }) => date || null),
  as: text(words('CALLED THERE'), 0, ({ as }) => as || null),
  served: flag(words('SERVED'), 0, ({ served }) => served),
  context: count(words('CONTEXT'), 0, ({ context }) => context || null),
  longest: count(words('LONGEST ANSWER'), 0, ({ longest }) => longest || null),
  reads: list(words('READS'), 0, ({ reads }) => reads),
  writes: list(words('WRITES'), 0, ({ writes }) => writes),
  version: text(words('VERSION'), 0, ({ version }) => version),
  now: object(words('NOW'), ({ now }) => now),
  there: object(words('PRICES THERE'), ({ there }) => there),
  to: object(words('RATIOS'), ({ to }) => to),
  facts_now: object(words('FACTS NOW'), ({ facts_now }) => facts_now),
  facts_there: object(words('FACTS THERE'), ({ facts_there }) => facts_there),
  facts_to: object(words('FACTS TO STORE'), ({ facts_to }) => facts_to),
  facts_version: text(words('VERSION OF FACTS'), 0, ({ facts_version }) => facts_version),
}

const SHORT = { input: words('in'), output: words('out'), cache_read: words('cached') }

/** Formats the main prices for comparison. */
function formatShort(lines: readonly DifferenceLine[], language: Language): string {
  const [piece, second] = [perPiece(lines), findUsd(lines, 'video')]
  const tokens = Object.entries(SHORT).flatMap(([component, name]) => {
    const usd = findUsd(lines, component)
    return usd === undefined ? [] : [`${name[language]} ${usd}`]
  })
  if (piece !== undefined) return fillTemplate(words('{piece} a call'), { piece })[language]
  return second === undefined ? tokens.join(', ') : fillTemplate(words('{second} a second'), { second })[language]
}

export const changeView: OutputView<PriceHistoryEntry> = {
  id: count(words('ID'), 1, ({ id }) => id),
  time: time(words('TIME'), 1, (row) => row.created_at),
  model: text(words('MODEL'), 1, ({ model }) => model, { flexible: true, tone: () => 'strong' }),
  user: text(words('USER'), 2, ({ username }) => username),
  source: text(words('SOURCE'), 3, ({ source }) => source, { flexible: true }),
  channel: text(words('BOUGHT FROM'), 5, ({ channel }) => channel || null),
  was: text(words('WAS $/1M'), 3, ({ was }) => formatShort(was, 'en') || null, {
    flexible: true,
    shown: ({ was }, { language }) => formatShort(was, language),
  }),
  became: text(words('BECAME $/1M'), 2, ({ became }) => formatShort(became, 'en') || null, {
    flexible: true,
    shown: ({ became }, { language }) => formatShort(became, language),
  }),
  from: object(words('WAS, AS RATIOS'), ({ from }) => from),
  to: object(words('BECAME, AS RATIOS'), ({ to }) => to),
}
