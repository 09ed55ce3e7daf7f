// Display of prices: amount, source, and the values of a catalogue.
import type { WeirClient } from '../../core/contracts.ts'
import { words, type Language, type Words } from '../../core/errors.ts'
import { findComponent } from '../../core/pricing/components.ts'
import { count, flag, list, money, number, object, text, time, word, type View, type ViewField } from '../view.ts'

type Data<F extends (...given: never[]) => Promise<{ data: readonly unknown[] } | readonly unknown[]>> =
  Awaited<ReturnType<F>> extends { data: readonly (infer R)[] }
    ? R
    : Awaited<ReturnType<F>> extends readonly (infer R)[]
      ? R
      : never

export type PriceRow = Data<WeirClient['prices']['list']>
export type Difference = Data<WeirClient['prices']['preview']>
export type PriceChange = Awaited<ReturnType<WeirClient['prices']['history']>>['items'][number]
export type MissingPrice = Data<WeirClient['prices']['missing']>
type Line = Difference['now'][number]

const SOURCES = {
  own: words('own', '自定'),
  default: words('default', '默认'),
  family: words('as its family', '同系列'),
  none: words('none', '无'),
}
const STATUSES = {
  new: words('new', '新增'),
  changed: words('changed', '变动'),
  same: words('same', '相同'),
  only_here: words('only here', '仅此处'),
}

const findUsd = (lines: readonly Line[], component: string) =>
  lines.find((line) => line.component === component && line.label === undefined)?.usd

/** Declares a field of dollars per 1M tokens, or per piece if the component is not counted in tokens. */
const dollars = <T>(title: string, zh: string, rank: number, of: (row: T) => readonly Line[], component: string) =>
  number<T>(words(title, zh), rank, (row) => findUsd(of(row), component))

/** Returns the price per call, or per picture for models without a price of the input. */
const perPiece = (lines: readonly Line[]) =>
  findUsd(lines, 'call') ?? (findUsd(lines, 'input') === undefined ? findUsd(lines, 'image') : undefined)

const getPrices = ({ prices }: PriceRow) => prices

export const priceView: View<PriceRow> = {
  model: text(words('MODEL', '模型'), 1, ({ model }) => model, { flexible: true, tone: () => 'strong' }),
  source: word(words('PRICE', '价格'), 2, SOURCES, ({ source }) => source, {
    tone: ({ source }) => (source === 'none' ? 'bad' : source === 'own' ? 'good' : 'plain'),
  }),
  input: dollars('INPUT $/1M', '输入 $/1M', 1, getPrices, 'input'),
  output: dollars('OUTPUT $/1M', '输出 $/1M', 1, getPrices, 'output'),
  cache_read: dollars('CACHED $/1M', '缓存 $/1M', 3, getPrices, 'cache_read'),
  call: number(words('$/CALL', '$/次'), 3, ({ prices }) => perPiece(prices)),
  video: dollars('$/SECOND', '$/秒', 0, getPrices, 'video'),
  as: text(words('PRICED AS', '计价为'), 4, (row) => (row.as === row.model ? null : row.as), { flexible: true }),
  served: flag(words('SERVED', '有渠道'), 4, ({ served }) => served),
  channel: text(words('BOUGHT FROM', '采购渠道'), 0, ({ channel }) => channel || null),
  version: text(words('VERSION', '版本'), 0, ({ version }) => version),
  prices: object(words('PRICES', '全部价格'), ({ prices }) => prices),
  price: object(words('RATIOS', '倍率'), ({ price }) => price),
}

const usageFields = <T extends { users: number; calls: number; charged: number }>() =>
  ({
    users: count<T>(words('USERS', '用户数'), 3, ({ users }) => users || null),
    calls: count<T>(words('CALLS', '调用次数'), 2, ({ calls }) => calls || null),
    charged: money<T>(words('CHARGED', '已收费'), 2, ({ charged }) => charged || null),
  }) satisfies Record<string, ViewField<T>>

export const missingView: View<MissingPrice> = {
  model: text(words('MODEL', '模型'), 1, ({ model }) => model, { flexible: true, tone: () => 'strong' }),
  served: flag(words('SERVED', '有渠道'), 2, ({ served }) => served),
  ...usageFields<MissingPrice>(),
}

const TIERS: Readonly<Record<string, Words>> = {
  'tiers.prompt': words('tiers by length', '按长度的阶梯'),
  'tiers.service': words('tiers by service', '按服务等级的阶梯'),
  'tiers.time': words('tiers by time', '按时段的阶梯'),
  'tiers.cache': words('tiers of the cache', '缓存的阶梯'),
}
const partName = (name: string): Words => TIERS[name] ?? findComponent(name)?.label ?? words(name, name)

const FACTS: Readonly<Record<Difference['facts_differ'][number], Words>> = {
  context: words('context', '上下文'),
  output: words('longest answer', '最长输出'),
  kind: words('kind', '类型'),
  reads: words('what it reads', '可读取'),
  writes: words('what it writes', '可生成'),
}

/** Formats a difference as `context 200000 → 1000000`. */
function factText({ facts_now, facts_there }: Difference, name: keyof typeof FACTS, language: Language): string {
  const value = (facts: Difference['facts_now']) => [facts[name] ?? '–'].flat().join(' ')
  return `${FACTS[name][language]} ${value(facts_now)} → ${value(facts_there)}`
}

/** Returns whether the catalogue has a new price or new facts. */
export const isDifferent = ({ status, to, facts_differ }: Difference): boolean =>
  ((status === 'new' || status === 'changed') && to !== null) || facts_differ.length > 0

export const differenceView: View<Difference> = {
  model: text(words('MODEL', '模型'), 1, ({ model }) => model, { flexible: true, tone: () => 'strong' }),
  status: word(words('STATUS', '状态'), 1, STATUSES, ({ status }) => status, {
    tone: ({ status }) => (status === 'changed' ? 'careful' : status === 'new' ? 'good' : 'faint'),
  }),
  input: dollars('INPUT $/1M', '输入 $/1M', 2, ({ now }) => now, 'input'),
  input_there: dollars('INPUT THERE', '目录输入', 1, ({ there }) => there, 'input'),
  output: dollars('OUTPUT $/1M', '输出 $/1M', 2, ({ now }) => now, 'output'),
  output_there: dollars('OUTPUT THERE', '目录输出', 1, ({ there }) => there, 'output'),
  differs: list(words('DIFFERS', '不同之处'), 1, ({ differs }) => differs, {
    flexible: true,
    shown: ({ differs }, { language }) => differs.map((name) => partName(name)[language]).join(', '),
  }),
  facts_differ: list(words('FACTS', '模型信息'), 3, ({ facts_differ }) => facts_differ, {
    flexible: true,
    shown: (row, { language }) => row.facts_differ.map((name) => factText(row, name, language)).join(', '),
  }),
  ...usageFields<Difference>(),
  would_charge: money(words('WOULD BE', '将收费'), 2, (row) => row.would_charge || null),
  provider: text(words('PROVIDER', '提供商'), 4, ({ provider }) => provider || null, { flexible: true }),
  date: text(words('AS OF', '日期'), 4, ({ date }) => date || null),
  as: text(words('CALLED THERE', '目录名称'), 0, ({ as }) => as || null),
  served: flag(words('SERVED', '有渠道'), 0, ({ served }) => served),
  context: count(words('CONTEXT', '上下文'), 0, ({ context }) => context || null),
  longest: count(words('LONGEST ANSWER', '最长输出'), 0, ({ longest }) => longest || null),
  reads: list(words('READS', '可读取'), 0, ({ reads }) => reads),
  writes: list(words('WRITES', '可生成'), 0, ({ writes }) => writes),
  version: text(words('VERSION', '版本'), 0, ({ version }) => version),
  now: object(words('NOW', '现价'), ({ now }) => now),
  there: object(words('PRICES THERE', '目录价格'), ({ there }) => there),
  to: object(words('RATIOS', '倍率'), ({ to }) => to),
  facts_now: object(words('FACTS NOW', '现有信息'), ({ facts_now }) => facts_now),
  facts_there: object(words('FACTS THERE', '目录信息'), ({ facts_there }) => facts_there),
  facts_to: object(words('FACTS TO STORE', '将保存的信息'), ({ facts_to }) => facts_to),
  facts_version: text(words('VERSION OF FACTS', '信息版本'), 0, ({ facts_version }) => facts_version),
}

const SHORT = { input: words('in', '输入'), output: words('out', '输出'), cache_read: words('cached', '缓存') }

/** Formats the main prices for comparison. */
function formatShort(lines: readonly Line[], language: Language): string {
  const [piece, second] = [perPiece(lines), findUsd(lines, 'video')]
  const tokens = Object.entries(SHORT).flatMap(([component, name]) => {
    const usd = findUsd(lines, component)
    return usd === undefined ? [] : [`${name[language]} ${usd}`]
  })
  if (piece !== undefined) return words(`${piece} a call`, `每次 ${piece}`)[language]
  return second === undefined ? tokens.join(', ') : words(`${second} a second`, `每秒 ${second}`)[language]
}

export const changeView: View<PriceChange> = {
  id: count(words('ID', '编号'), 1, ({ id }) => id),
  time: time(words('TIME', '时间'), 1, (row) => row.created_at),
  model: text(words('MODEL', '模型'), 1, ({ model }) => model, { flexible: true, tone: () => 'strong' }),
  user: text(words('USER', '用户'), 2, ({ username }) => username),
  source: text(words('SOURCE', '来源'), 3, ({ source }) => source, { flexible: true }),
  channel: text(words('BOUGHT FROM', '采购渠道'), 5, ({ channel }) => channel || null),
  was: text(words('WAS $/1M', '原价 $/1M'), 3, ({ was }) => formatShort(was, 'en') || null, {
    flexible: true,
    shown: ({ was }, { language }) => formatShort(was, language),
  }),
  became: text(words('BECAME $/1M', '新价 $/1M'), 2, ({ became }) => formatShort(became, 'en') || null, {
    flexible: true,
    shown: ({ became }, { language }) => formatShort(became, language),
  }),
  from: object(words('WAS, AS RATIOS', '原倍率'), ({ from }) => from),
  to: object(words('BECAME, AS RATIOS', '新倍率'), ({ to }) => to),
}
