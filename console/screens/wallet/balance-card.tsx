// The balance, and a forecast of how long it lasts.
import { Link } from 'react-router'
import type { ShownUser } from '../../../core/users/user.ts'
import { quietClient } from '../../data/client.ts'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { CountText } from '../../parts/text/count.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import { getNowSeconds } from '../../parts/text/time.tsx'
import { SECONDS_PER_DAY, FORECAST_PAST_DAYS, forecastBalance } from './forecast.ts'

export function BalanceCard({ user }: { user: ShownUser }) {
  const t = useText()
  const format = useFormat()
  const threshold = parseThreshold(user)
  return (
    <section className="sheet wallet-balance" aria-labelledby="balance">
      <h2 id="balance">{t('Balance')}</h2>
      <p className="wallet-amount">
        <QuotaText value={user.quota} />
      </p>
      <Lasting balance={user.quota} />
      {user.quota < threshold && (
        <InlineNote warns>
          {t('The balance is below your warning threshold of {amount}.', { amount: format.quota(threshold) })}
        </InlineNote>
      )}
      <dl className="wallet-facts">
        <div>
          <dt>{t('Used so far')}</dt>
          <dd>
            <QuotaText value={user.used_quota} />
          </dd>
        </div>
        <div>
          <dt>{t('Calls', { context: 'requests' })}</dt>
          <dd>
            <Link to="/log?span=month">
              <CountText value={user.request_count} />
            </Link>
          </dd>
        </div>
      </dl>
    </section>
  )
}

function Lasting({ balance }: { balance: number }) {
  const t = useText()
  const format = useFormat()
  const { data, error } = useEndpointWithError(['usage.querySelf', 'forecast'], () => spentOfLate(getNowSeconds()))
  if (error) return <p className="muted">{t('How long the balance will last could not be estimated.')}</p>
  if (!data) return <p className="muted">{t('Estimating how long the balance will last…')}</p>
  if (balance <= 0) return <p className="muted">{t('The balance is used up.')}</p>
  const { pastDays, lasts } = forecastBalance(balance, data, getNowSeconds())
  if (lasts === null)
    return (
      <p className="muted">
        {t('How long the balance will last is unknown: nothing was spent in the last {days}.', {
          days: format.days(FORECAST_PAST_DAYS),
        })}
      </p>
    )
  const pace = { period: format.days(pastDays) }
  if (lasts < 1)
    return <p className="wallet-soon">{t('Lasts less than a day at the rate of the last {period}.', pace)}</p>
  if (lasts > YEAR)
    return <p className="muted">{t('Lasts more than a year at the rate of the last {period}.', pace)}</p>
  const text = t('Lasts about {days} at the rate of the last {period}.', {
    ...pace,
    days: format.days(Math.floor(lasts)),
  })
  return <p className={lasts < SOON ? 'wallet-soon' : 'muted'}>{text}</p>
}

/**
 * Returns the recent spending of the user's own account; charges to teams do not reduce this balance.
 * @throws RequestFailure
 */
async function spentOfLate(now: number) {
  const from = String(now - FORECAST_PAST_DAYS * SECONDS_PER_DAY)
  const { rows } = await quietClient.usage.querySelf({ from, step: 'day', by: 'team' })
  return rows.filter(({ team_id = 0 }) => team_id === 0)
}

/** Longest forecast, in days. */
const YEAR = 365
const SOON = 3

/** Default balance below which a user is warned, in quota units. */
const WARN_BELOW = 500_000

/** Returns the balance below which the user is warned, from their settings. */
function parseThreshold({ setting }: ShownUser): number {
  try {
    const { quota_warning_threshold } = JSON.parse(setting) as { quota_warning_threshold?: number }
    return quota_warning_threshold ?? WARN_BELOW
  } catch {
    return WARN_BELOW
  }
}
