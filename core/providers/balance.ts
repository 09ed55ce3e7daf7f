// Reads the balance of an account, in the formats of several providers.
import { z } from 'zod'
import { fail } from '../errors.ts'
import type { Provider } from './provider.ts'

type Balance = NonNullable<Provider['balance']>

const read = <T>(shape: z.ZodType<T>, answer: unknown): T => {
  const parsed = shape.safeParse(answer)
  return parsed.success ? parsed.data : fail('upstream.unreadable')
}

const Subscription = z.object({ hard_limit_usd: z.number(), has_payment_method: z.boolean().default(false) })
const Usage = z.object({ total_usage: z.number() })
const DAY_MS = 86_400_000

/** The billing API of OpenAI and compatible gateways: the limit minus the usage, which is in cents. */
export const fetchOpenaiBalance: Balance = async (ask, _, now) => {
  const limit = read(Subscription, await ask('/v1/dashboard/billing/subscription'))
  const day = (date: Date) => date.toISOString().slice(0, 10)
  const since = limit.has_payment_method ? `${day(now).slice(0, 8)}01` : day(new Date(now.getTime() - 100 * DAY_MS))
  const dates = `start_date=${since}&end_date=${day(now)}`
  const { total_usage } = read(Usage, await ask(`/v1/dashboard/billing/usage?${dates}`))
  return limit.hard_limit_usd - total_usage / 100
}

const amount = z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)]).transform(Number)

export const fetchSiliconflowBalance: Balance = async (ask) => {
  const shape = z.object({ code: z.literal(20000), data: z.object({ totalBalance: amount }) })
  return read(shape, await ask('/v1/user/info')).data.totalBalance
}

/** OpenRouter: what was bought, less what was used. */
export const fetchOpenrouterBalance: Balance = async (ask) => {
  const shape = z.object({ data: z.object({ total_credits: amount, total_usage: amount }) })
  const { data } = read(shape, await ask('/v1/credits'))
  return data.total_credits - data.total_usage
}

export const fetchMoonshotBalance: Balance = async (ask) => {
  const shape = z.object({ data: z.object({ available_balance: amount }) })
  return read(shape, await ask('/v1/users/me/balance')).data.available_balance
}

/** The grants of resellers that keep OpenAI's older call, under the name that each gives what is left. */
export const createCreditBalanceReader =
  (field: string): Balance =>
  async (ask) =>
    read(z.object({ [field]: amount }), await ask('/dashboard/billing/credit_grants'))[field]!

/** AI Proxy: points, at its console's address. */
export const fetchAiproxyBalance: Balance = async (ask, { key }) => {
  const shape = z.object({ data: z.object({ totalPoints: amount }) })
  const answer = await ask('https://aiproxy.io/api/report/getUserOverview', { 'api-key': key })
  return read(shape, answer).data.totalPoints
}

export const fetchDeepseekBalance: Balance = async (ask) => {
  const shape = z.object({ balance_infos: z.array(z.object({ currency: z.string(), total_balance: amount })) })
  const { balance_infos } = read(shape, await ask('/user/balance'))
  const yuan = balance_infos.find(({ currency }) => currency === 'CNY') ?? balance_infos[0]
  return yuan?.total_balance ?? fail('upstream.unreadable')
}
