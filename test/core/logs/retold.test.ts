// Sentences that were stored in one language, as who reads the other sees them.
import { expect, it } from 'vitest'
import { errors } from '../../../core/errors.data.ts'
import { EMPTY_WORDS, GatewayError, type ErrorCode } from '../../../core/errors.ts'
import { findFailureCode, translateStoredFailure } from '../../../core/logs/stored-failures.ts'
import { formatLoggedQuota, formatLogText, translateLogText } from '../../../core/logs/event-texts.ts'
import { listFailures } from '../../support/list-failures.ts'

const views = [true, false].map((DisplayInCurrencyEnabled) => ({ QuotaPerUnit: 500_000, DisplayInCurrencyEnabled }))
const events = views.flatMap((view) => {
  const quota = formatLoggedQuota(1_234_567, view)
  return [
    ...(['account', 'invited', 'inviter', 'earnings'] as const).map((name) => [name, { quota }] as const),
    ['redeemed', { quota, id: 7 }],
    ['topup', { quota, money: '¥7.30' }],
    ['adjusted', { who: 'ann from: x (3)', before: formatLoggedQuota(-5, view), after: quota }],
    ['nothing', {}],
    ['test', {}],
    ['ratios', { model: 0.075, completion: 4, group: 1e-7 }],
    ['fixed', { price: 0.04, group: 1 }],
    ['images', { price: 0.04, n: 2, details: '', group: 0.5 }],
    ['unbooked', { units: 120, hold: 'lz3k9', why: 'GatewayError: the account is gone' }],
  ] as const
})

it.each(events)('%s %j is told in either language, whichever it was stored in', (name, given) => {
  const [en, zh] = [formatLogText(name, given, 'en'), formatLogText(name, given, 'zh')]
  for (const stored of [en, zh])
    expect([translateLogText(stored, 'en'), translateLogText(stored, 'zh')]).toEqual([en, zh])
})

it.each(['en', 'zh'] as const)('tells what pictures were asked for, stored in %s', (stored) => {
  const said = (language: 'en' | 'zh') => {
    const size = formatLogText('size', { size: '1024x1536' }, language)
    const quality = formatLogText('quality', { quality: 'hd' }, language)
    return formatLogText('images', { price: 0.04, n: 2, details: size + quality, group: 1 }, language)
  }
  for (const read of ['en', 'zh'] as const) expect(translateLogText(said(stored), read)).toBe(said(read))
})

it('tells who works at the terminal, and keeps the reason as it was given', () => {
  const given = { before: '$1.000000', after: '$2.000000' }
  const stored = `${formatLogText('adjusted', { ...given, who: 'the terminal' }, 'en')}: a gift to nobody`
  expect(translateLogText(stored, 'zh')).toBe('终端 将用户额度从 $1.000000 修改为 $2.000000: a gift to nobody')
  expect(translateLogText(translateLogText(stored, 'zh'), 'en')).toBe(stored)
})

it('leaves what nobody here has written', () => {
  for (const text of ['', 'Topped up $10.00', 'Invited: everybody', '上游中断', 'model test of mine'])
    expect(translateLogText(text, 'zh')).toBe(text)
})

/** A failure with something in each place that is filled: a word, of which two are never alike. */
const failed = (code: ErrorCode) => {
  const fields = [...errors[code].en.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!)
  return new GatewayError(code, Object.fromEntries(fields.map((field, index) => [field, `q${index}-${field}`])))
}
/**
 * Where nothing but what fills it is said, nobody can tell what it was; nor where two values stand side by side. What is wrong with
 * a setting's value is answered, and nothing stores it.
 */
const told = (Object.keys(errors) as ErrorCode[]).filter((code) =>
  (['en', 'zh'] as const).every((language) => {
    const said = errors[code][language]
    return /\p{L}{2}/u.test(said.replace(/\{\w+\}/g, '')) && !said.includes('}{')
  }),
)

it('tells every stored failure in either language', async () => {
  const texts = told.map((code) => ({ code, en: failed(code).text('en'), zh: failed(code).text('zh') }))
  const failures = await listFailures(
    texts,
    ({ code }) => code,
    ({ en, zh }) => {
      // Several failures may have the same text in one language.
      expect(texts.filter((other) => other.en === en).map((other) => other.zh)).toContain(
        translateStoredFailure(en, 'zh'),
      )
      expect(texts.filter((other) => other.zh === zh).map((other) => other.en)).toContain(
        translateStoredFailure(zh, 'en'),
      )
      expect([translateStoredFailure(en, 'en'), translateStoredFailure(zh, 'zh')]).toEqual([en, zh])
    },
  )
  expect(failures).toEqual([])
})

it('tells a failure within a failure, and why a charge was not booked', () => {
  const inner = new GatewayError('network.refused')
  const outer = (language: 'en' | 'zh') =>
    new GatewayError('channel.test_failed', { status: 502, reason: inner.text(language) }).text(language)
  expect(translateStoredFailure(outer('en'), 'zh')).toBe(outer('zh'))
  const unbooked = (language: 'en' | 'zh', why: string) =>
    formatLogText('unbooked', { units: 120, hold: 'lz3k9', why }, language)
  expect(translateLogText(unbooked('en', String(inner)), 'zh', translateStoredFailure)).toBe(
    unbooked('zh', inner.text('zh')),
  )
})

it.each(['quota.insufficient', 'quota.token_insufficient', 'budget.day'] as const)(
  'tells %s without an addition',
  (code) => {
    const error = new GatewayError(code, {
      balance: 0,
      needed: 16_388,
      left: 0,
      max: 5,
      renews: 'then',
      fits: EMPTY_WORDS,
    })
    expect(translateStoredFailure(error.text('en'), 'zh')).toBe(error.text('zh'))
    expect(translateStoredFailure(error.text('zh'), 'en')).toBe(error.text('en'))
    expect([findFailureCode(error.text('en')), findFailureCode(error.text('zh'))]).toEqual([code, code])
  },
)

it('leaves what a provider has said', () => {
  for (const text of ['You exceeded your current quota', 'Rate limit reached for gpt-4o', '429 slow down'])
    expect(translateStoredFailure(text, 'zh')).toBe(text)
})
