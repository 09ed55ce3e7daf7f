// Sentences that were stored in one language, as who reads the other sees them.
import { expect, it } from 'vitest'
import { loggedQuota, logText, retold } from '../../../core/logs/event-texts.ts'

const views = [true, false].map((DisplayInCurrencyEnabled) => ({ QuotaPerUnit: 500_000, DisplayInCurrencyEnabled }))
const events = views.flatMap((view) => {
  const quota = loggedQuota(1_234_567, view)
  return [
    ...(['account', 'invited', 'inviter', 'earnings'] as const).map((name) => [name, { quota }] as const),
    ['redeemed', { quota, id: 7 }],
    ['topup', { quota, money: '¥7.30' }],
    ['adjusted', { who: 'ann from: x (3)', before: loggedQuota(-5, view), after: quota }],
    ['nothing', {}],
    ['test', {}],
    ['unbooked', { units: 120, hold: 'lz3k9', why: 'GatewayError: the account is gone' }],
  ] as const
})

it.each(events)('%s %j is told in either language, whichever it was stored in', (name, given) => {
  const [en, zh] = [logText(name, given, 'en'), logText(name, given, 'zh')]
  for (const stored of [en, zh]) expect([retold(stored, 'en'), retold(stored, 'zh')]).toEqual([en, zh])
})

it('tells who works at the terminal, and keeps the reason as it was given', () => {
  const given = { before: '$1.000000', after: '$2.000000' }
  const stored = `${logText('adjusted', { ...given, who: 'the terminal' }, 'en')}: a gift to nobody`
  expect(retold(stored, 'zh')).toBe('终端 将用户额度从 $1.000000 修改为 $2.000000: a gift to nobody')
  expect(retold(retold(stored, 'zh'), 'en')).toBe(stored)
})

it('leaves what nobody here has written', () => {
  for (const text of ['', 'Topped up $10.00', 'Invited: everybody', '上游中断', 'model test of mine'])
    expect(retold(text, 'zh')).toBe(text)
})
