// The budgets of a token per day, week and month in its time zone, in addition to its balance. `zone` is the reporting
// time zone of the operator, for tokens and members without one; empty means UTC.
import { z } from 'zod'
import { PERIODS, type Calendar, type Period } from '../quota/calendar.ts'
import type { SpentQuestion } from '../quota/store.ts'
import type { BudgetLimit, Limit } from '../quota/limits.ts'
import { getPayerId, type CallToken, type Token } from './token.ts'

export type BudgetedAccount = Pick<Token, 'id' | `budget_${Period}` | 'time_zone'>

/** The usage of the budgets in the current periods, in addition to a token's fields. */
export const BudgetUse = z.object({
  /** Quota units charged since the period began; 0 if there is no budget. */
  budget_used_day: z.number(),
  budget_used_week: z.number(),
  budget_used_month: z.number(),
  /** Epoch seconds at which the count restarts; 0 if there is no budget. */
  budget_reset_day: z.number(),
  budget_reset_week: z.number(),
  budget_reset_month: z.number(),
})
export type BudgetUse = z.infer<typeof BudgetUse>

/** The budgets a token has, as limits of its calls. */
export function listTokenBudgets(token: BudgetedAccount, zone: string): BudgetLimit[] {
  return PERIODS.flatMap((period) => {
    const max = token[`budget_${period}`]
    const own = token.time_zone || zone
    return max > 0 ? [{ kind: 'budget' as const, key: key(token.id, period, own), period, zone: own, max }] : []
  })
}

/** Returns the budgets of a call's token, and those of the member for a team's token. */
export function listCallBudgets(
  token: BudgetedAccount & Pick<CallToken, 'team_id' | 'user_id' | 'member'>,
  zone: string,
): Limit[] {
  const { member, team_id, user_id } = token
  if (!member || (member.budget_day === 0 && member.budget_month === 0)) return listTokenBudgets(token, zone)
  const held_key = `${memberKey(team_id, user_id)}:held`
  const budgets = MEMBER_BUDGET_PERIODS.flatMap((period): Limit[] => {
    const max = member[`budget_${period}`]
    const key = memberBudgetKeys(team_id, user_id, zone)[period]
    return max > 0 ? [{ kind: 'budget', key, period, zone, max, member: { user_id, held_key } }] : []
  })
  return [...listTokenBudgets(token, zone), { kind: 'held', key: held_key }, ...budgets]
}

export const MEMBER_BUDGET_PERIODS = ['day', 'month'] as const

const memberKey = (teamId: number, userId: number) => `team:${teamId}:${userId}`

/** Returns the counter keys of a member's budgets, whether or not there are any. */
export function memberBudgetKeys(
  teamId: number,
  userId: number,
  zone: string,
): Record<(typeof MEMBER_BUDGET_PERIODS)[number], string> {
  const inZone = zone === '' ? '' : `:${zone}`
  return {
    day: `${memberKey(teamId, userId)}:day${inZone}`,
    month: `${memberKey(teamId, userId)}:month${inZone}`,
  }
}

/** Returns the counter keys of a token's budgets, whether or not it has any. */
export const listBudgetKeys = ({ id, time_zone }: Pick<Token, 'id' | 'time_zone'>, zone: string): string[] =>
  PERIODS.map((period) => key(id, period, time_zone || zone))

// The zone is in the key: its periods begin at other times, so they are counted apart.
const key = (id: number, period: Period, zone: string) => `token:${id}:${period}:${zone || 'UTC'}`

/** Did a change touch what budgets are counted by? */
export const haveBudgetsChanged = (before: BudgetedAccount, after: BudgetedAccount): boolean =>
  before.time_zone !== after.time_zone ||
  PERIODS.some((period) => before[`budget_${period}`] !== after[`budget_${period}`])

/** Tokens with the use of their budgets; `spent` gives what was charged under a budget's key since a time. */
export async function withBudgetUse<T extends Token>(
  tokens: T[],
  { calendar, zone: reportZone, nowSeconds }: { calendar: Calendar; zone: string; nowSeconds: number },
  spent: (budgets: SpentQuestion[]) => Promise<Map<string, number>>,
): Promise<(T & BudgetUse)[]> {
  const counters = tokens.flatMap((token) =>
    listTokenBudgets(token, reportZone).map((budget) => ({
      key: budget.key,
      account_id: getPayerId(token),
      token_id: token.id,
      by_user_id: null,
      since: calendar.span(budget.period, budget.zone, nowSeconds).start,
    })),
  )
  const used = counters.length > 0 ? await spent(counters) : new Map<string, number>()
  return tokens.map((token) => {
    const use = { ...NO_USE }
    for (const { key: name, period, zone } of listTokenBudgets(token, reportZone)) {
      use[`budget_used_${period}`] = used.get(name) ?? 0
      use[`budget_reset_${period}`] = calendar.span(period, zone, nowSeconds).end
    }
    return { ...token, ...use }
  })
}

const NO_USE: BudgetUse = {
  budget_used_day: 0,
  budget_used_week: 0,
  budget_used_month: 0,
  budget_reset_day: 0,
  budget_reset_week: 0,
  budget_reset_month: 0,
}
