// Display of redemption codes, and search.
import type { WeirClient } from '../../core/contracts.ts'
import { redemptionForm } from '../input/forms.built.ts'
import { isCodeExpired, REDEMPTION_STATUS, type RedemptionCode } from '../../core/redemptions/redemption.ts'
import { words } from '../texts.ts'
import { buildFieldQuestions } from './field-questions.ts'
import { findByName } from './names.ts'
import { buildExpiryQuestion } from './questions.ts'
import { formatLocalTime, type MoneyView } from '../output/format.ts'
import type { FormQuestion } from '../parts/form-state.ts'
import { count, money, text, time, word, type OutputView } from '../output/view.ts'
import { STATES, toStateWord } from './states.data.ts'

const { unused, disabled, used, expired } = STATES
const toState = (code: RedemptionCode) =>
  code.status === REDEMPTION_STATUS.unused && isCodeExpired(code, Date.now() / 1000)
    ? 'expired'
    : toStateWord(REDEMPTION_STATUS, code.status)

const fields = {
  id: count(words('ID'), 1, ({ id }) => id),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  key: text(words('CODE'), 2, ({ key }) => key),
  status: word(words('STATUS'), 1, { unused, disabled, used, expired }, toState, {
    tone: (code) => (toState(code) === 'unused' ? 'good' : 'faint'),
  }),
  quota: money(words('FACE VALUE'), 1, ({ quota }) => quota),
  created: time(words('CREATED'), 4, (code) => code.created_time),
  expires: time(words('EXPIRES'), 2, (code) => code.expired_time),
  remark: text(words('REMARK'), 4, ({ remark }) => remark || null, { flexible: true }),
  redeemed: time(words('REDEEMED'), 3, (code) => code.redeemed_time),
  redeemed_by: count(words('BY USER'), 3, (code) => code.used_user_id || null, {
    shown: (code) => (code.used_user_id === 0 ? '' : undefined),
  }),
} satisfies OutputView<RedemptionCode>

export const redemptionCodeView: OutputView<RedemptionCode> = fields

/** New codes: --quiet prints the codes, not their ids. */
export const newCodesView: OutputView<RedemptionCode> = {
  key: fields.key,
  id: fields.id,
  name: fields.name,
  quota: fields.quota,
}

/** The quota units that a redeemed code added to the balance. */
export const redeemedView: OutputView<{ quota: number; before: number; after: number }> = {
  quota: money(words('FACE VALUE'), 1, ({ quota }) => quota),
  before: money(words('BALANCE BEFORE', { context: 'redeemed' }), 1, ({ before }) => before),
  after: money(words('BALANCE AFTER', { context: 'redeemed' }), 1, ({ after }) => after),
}

/** Masks the key of a code, because anyone who has it can redeem it. */
export const maskRedemptionCode = (code: RedemptionCode): RedemptionCode => ({
  ...code,
  key: `${code.key.slice(0, 4)}***`,
})

/** Returns every field of a code that `redemptions edit` changes, with its value. */
export const buildCodeQuestions = (code: RedemptionCode, money: MoneyView): FormQuestion[] =>
  buildFieldQuestions(redemptionForm, code, { without: ['count'], money }).map((question) =>
    question.name === 'expired_time'
      ? { ...buildExpiryQuestion(question), initial: formatLocalTime(code.expired_time) }
      : question,
  )

/** Returns the code by id or unique name. @throws Refusal if none or several match */
export async function findRequiredRedemption(weir: WeirClient, name: string): Promise<RedemptionCode> {
  if (/^\d+$/.test(name)) return weir.redemptions.get({ id: Number(name) })
  const { items } = await weir.redemptions.search({ keyword: name, page_size: 100 })
  return findByName({
    name,
    rows: items,
    getNames: (code) => [code.name],
    describe: ({ id }) => String(id),
    missing: words('No code is called "{name}": see `weir redemptions`.'),
    several: words('Several codes are called "{name}": give the id, one of {ids}.'),
    kind: 'redemption',
    listNames: async () => (await weir.redemptions.search({ page_size: 100 })).items.map((code) => code.name),
  })
}
