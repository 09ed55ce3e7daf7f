// The budgets of a token, and the one that is closest to its end.
import type { BudgetUse } from '../../../core/tokens/budget.ts'
import type { Token } from '../../../core/tokens/token.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText, texts } from '../../data/texts.tsx'
import { UsageMeter } from '../../parts/status/meter.tsx'

const PERIOD_TEXTS = texts({ day: 'day', week: 'week', month: 'month' })

/** A token as its owner sees it. */
export type ShownToken = Token & BudgetUse

const PERIODS = ['day', 'week', 'month'] as const
export type BudgetPeriod = (typeof PERIODS)[number]

/** The periods for which a token has a budget. */
export const listPeriods = (token: ShownToken) => PERIODS.filter((period) => token[`budget_${period}`] > 0)

/** The budget that is closest to its end, for the list; null if the token has none. */
export const findTightestBudget = (token: ShownToken) => {
  const getUsedShare = (period: BudgetPeriod) => token[`budget_used_${period}`] / token[`budget_${period}`]
  const [period] = listPeriods(token).sort((one, other) => getUsedShare(other) - getUsedShare(one))
  return period ? <ShortBudget token={token} period={period} /> : null
}

function ShortBudget({ token, period }: { token: ShownToken; period: BudgetPeriod }) {
  const t = useText()
  const format = useFormat()
  const [used, limit] = [token[`budget_used_${period}`], token[`budget_${period}`]]
  return (
    <UsageMeter label={t(PERIOD_TEXTS[period], { context: 'period' })} used={used} limit={limit}>
      {t('{used} of {limit} a {period}', {
        used: format.quota(used),
        limit: format.quota(limit),
        period: t(PERIOD_TEXTS[period], { context: 'period' }),
      })}
    </UsageMeter>
  )
}
