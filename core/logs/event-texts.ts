// The log's texts for events of an account and for the price of its calls, in both languages, with one format for
// money.
import type { Language } from '../errors.ts'
import { dollars } from '../pricing/display.ts'
import { UNBOOKED } from '../quota/dead-letters.ts'
import { createSentenceMatcher, type TranslateFailure, type Filling } from './retelling.ts'
import type { Settings } from '../settings/index.ts'

type MoneyView = Pick<Settings, 'QuotaPerUnit' | 'DisplayInCurrencyEnabled'>

/** Quota in a log text: dollars with six decimals, or units where the site shows those. */
export const loggedQuota = (quota: number, { QuotaPerUnit, DisplayInCurrencyEnabled }: MoneyView): string =>
  DisplayInCurrencyEnabled ? dollars(quota / QuotaPerUnit, 6) : `${quota} quota`

const texts = {
  account: { en: 'New account: {quota}', zh: '新用户赠送 {quota}' },
  invited: { en: 'Invited: {quota}', zh: '受邀注册赠送 {quota}' },
  inviter: { en: 'Invitation reward: {quota}', zh: '邀请用户奖励 {quota}' },
  earnings: { en: 'Invitation earnings moved to the balance: {quota}', zh: '邀请收益划转至余额：{quota}' },
  redeemed: { en: 'Redeemed {quota} by code {id}', zh: '通过兑换码充值 {quota}，兑换码 ID {id}' },
  topup: { en: 'Online top-up: credited {quota}, paid {money}', zh: '在线充值成功，入账 {quota}，支付金额 {money}' },
  topup_completed: {
    en: 'Online top-up, completed by {who}: credited {quota}, ordered for {money}',
    zh: '在线充值，由 {who} 补单：入账 {quota}，订单金额 {money}',
  },
  adjusted: {
    en: 'Quota changed by {who} from {before} to {after}',
    zh: '{who} 将用户额度从 {before} 修改为 {after}',
  },
  terminal: { en: 'the terminal', zh: '终端' },
  test: { en: 'model test', zh: '模型测试' },
  ratios: {
    en: 'model ratio {model}, completion ratio {completion}, group ratio {group}',
    zh: '模型倍率 {model}，补全倍率 {completion}，分组倍率 {group}',
  },
  fixed: { en: 'model price {price}, group ratio {group}', zh: '模型价格 {price}，分组倍率 {group}' },
  images: {
    en: 'model price {price}, {n} images{details}, group ratio {group}',
    zh: '模型价格 {price}，{n} 张图片{details}，分组倍率 {group}',
  },
  size: { en: ', size {size}', zh: '，尺寸 {size}' },
  quality: { en: ', quality {quality}', zh: '，质量 {quality}' },
  count: { en: 'prompt counted, free of charge: {tokens} tokens', zh: '统计提示 token 数（免费）：{tokens}' },
  nothing: { en: 'no usage was reported and nothing was delivered', zh: '上游未报告用量，也未交付任何内容' },
  unbooked: UNBOOKED,
  task_failed: { en: 'Task {task} failed, {quota} given back: {why}', zh: '任务 {task} 失败，已退还 {quota}：{why}' },
  task_refunded: { en: 'Task {task}: {quota} given back by {who}', zh: '任务 {task}：{who} 退还 {quota}' },
  task_less: {
    en: 'Task {task} used less than was held for it: {quota} given back',
    zh: '任务 {task} 实际用量低于预估：退还 {quota}',
  },
  task_more: {
    en: 'Task {task} used more than was held for it: {quota} charged',
    zh: '任务 {task} 实际用量高于预估：补扣 {quota}',
  },
  unread_sound: {
    en: 'the length of the sound could not be read, and was estimated from the size of its file',
    zh: '无法读取音频时长，已按文件大小估算',
  },
} as const satisfies Record<string, Record<Language, string>>

type Given = Record<string, string | number>

export const logText = (name: keyof typeof texts, given: Given, language: Language): string =>
  texts[name][language].replace(/\{(\w+)\}/g, (whole, key: string) => String(given[key] ?? whole))

const RATIO = /[\d.e+-]+/y
const MONEY = /-?\$?-?\d+(?:[.,]\d+)*(?: quota)?/y
const WHOLE = /\d+/y
/** The fields of stored sentences. The default is money as `loggedQuota` formats it. */
const FILLINGS: Record<string, Filling> = {
  id: WHOLE,
  who: 'text',
  money: 'text',
  units: WHOLE,
  hold: /\w+/y,
  why: 'text or nothing',
  task: 'text',
  model: RATIO,
  completion: RATIO,
  group: RATIO,
  price: RATIO,
  n: WHOLE,
  details: 'text or nothing',
}

/** Parts of sentences are none. */
const { terminal: _who, size, quality, ...sentences } = texts

const find = createSentenceMatcher(sentences, { fillings: (name) => FILLINGS[name] ?? MONEY, mayHaveReason: true })

/** Returns true for the name that replaces a missing user, in either language. */
const isTerminal = (who: string): boolean => who === texts.terminal.en || who === texts.terminal.zh

/** Translates the details of pictures, each after its name. */
function pictureDetails(details: string, language: Language): string {
  const named = (words: string) => words.replace(/\{\w+\}$/, '')
  const other = language === 'en' ? 'zh' : 'en'
  return [size, quality].reduce((text, words) => text.replace(named(words[other]), named(words[language])), details)
}

/**
 * Translates a stored sentence of the log to the reader's language. A text that Weir did not write stays as it is.
 * @param failure translates why a charge could not be booked
 */
export function translateLogText(
  content: string,
  language: Language,
  failure: TranslateFailure = (text) => text,
): string {
  const found = find(content)
  if (!found) return content
  const { name, rest } = found
  const given = Object.entries(found.given).map(([field, text]): [string, string] => {
    if (field === 'who' && isTerminal(text)) return [field, texts.terminal[language]]
    if (field === 'details') return [field, pictureDetails(text, language)]
    return [field, field === 'why' ? failure(text, language) : text]
  })
  return logText(name, Object.fromEntries(given), language) + rest
}
