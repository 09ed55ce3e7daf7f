// The log's texts for events of an account and for the price of its calls, in both languages, with one format for
// money.
import { words, type Language } from '../errors.ts'
import { formatDollars } from '../pricing/display.ts'
import { UNBOOKED } from '../quota/dead-letters.ts'
import { createSentenceMatcher, type TranslateFailure, type TemplateFilling } from './sentence-matcher.ts'
import type { Settings } from '../settings/index.ts'

type MoneyView = Pick<Settings, 'QuotaPerUnit' | 'DisplayInCurrencyEnabled'>

/** Formats quota for a log text: dollars with six decimals, or units if the site shows units. */
export const formatLoggedQuota = (quota: number, { QuotaPerUnit, DisplayInCurrencyEnabled }: MoneyView): string =>
  DisplayInCurrencyEnabled ? formatDollars(quota / QuotaPerUnit, 6) : `${quota} quota`

const texts = {
  account: words('New account: {quota}'),
  invited: words('Invited: {quota}'),
  inviter: words('Invitation reward: {quota}'),
  earnings: words('Invitation earnings moved to the balance: {quota}'),
  redeemed: words('Redeemed {quota} by code {id}'),
  topup: words('Online top-up: credited {quota}, paid {money}'),
  topup_completed: words('Online top-up, completed by {who}: credited {quota}, ordered for {money}'),
  adjusted: words('Quota changed by {who} from {before} to {after}'),
  terminal: words('the terminal'),
  test: words('model test'),
  ratios: words('model ratio {model}, completion ratio {completion}, group ratio {group}'),
  fixed: words('model price {price}, group ratio {group}'),
  images: words('model price {price}, {n} images{details}, group ratio {group}'),
  size: words(', size {size}'),
  quality: words(', quality {quality}'),
  count: words('prompt counted, free of charge: {tokens} tokens'),
  nothing: words('no usage was reported and nothing was delivered'),
  unbooked: UNBOOKED,
  task_failed: words('Task {task} failed, {quota} given back: {why}'),
  task_refunded: words('Task {task}: {quota} given back by {who}'),
  task_less: words('Task {task} used less than was held for it: {quota} given back'),
  task_more: words('Task {task} used more than was held for it: {quota} charged'),
  unread_sound: words('the length of the sound could not be read, and was estimated from the size of its file'),
} as const satisfies Record<string, Record<Language, string>>

type EventValues = Record<string, string | number>

export const formatLogText = (name: keyof typeof texts, given: EventValues, language: Language): string =>
  texts[name][language].replace(/\{(\w+)\}/g, (whole, key: string) => String(given[key] ?? whole))

const RATIO = /[\d.e+-]+/y
const MONEY = /-?\$?-?\d+(?:[.,]\d+)*(?: quota)?/y
const WHOLE = /\d+/y
/** The fields of stored sentences. The default is money as `formatLoggedQuota` formats it. */
const FILLINGS: Record<string, TemplateFilling> = {
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
  return formatLogText(name, Object.fromEntries(given), language) + rest
}
