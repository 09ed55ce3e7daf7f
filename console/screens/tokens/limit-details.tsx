// The expanded details of a token: its budgets as bars, and its limits as lines.
import { Link } from 'react-router'
import { parseSeparatedList } from '../../../core/tokens/token.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { UsageMeter } from '../../parts/status/meter.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { type BudgetPeriod, listPeriods, type ShownToken } from './budgets.tsx'
import { tokenForm } from './form.built.ts'

/** One budget: how much of it is used, and when it is reset. */
export function BudgetMeter({ token, period }: { token: ShownToken; period: BudgetPeriod }) {
  const t = useText()
  const format = useFormat()
  const { label } = useFieldTexts(tokenForm)(`budget_${period}`)
  const [used, limit] = [token[`budget_used_${period}`], token[`budget_${period}`]]
  const resetAt = token[`budget_reset_${period}`]
  return (
    <UsageMeter label={label} used={used} limit={limit}>
      {t('{used} of {limit}', { used: format.quota(used), limit: format.quota(limit) })}
      {resetAt > 0 && (
        <span className="muted" data-tip={format.zoned(resetAt)}>
          {' '}
          {t('renews {when}', { when: format.ago(resetAt) })}
        </span>
      )}
    </UsageMeter>
  )
}

/** The expanded details of a token: all of its limits. */
export function TokenLimitDetails({ token }: { token: ShownToken }) {
  const t = useText()
  const format = useFormat()
  const field = useFieldTexts(tokenForm)
  const budgets = listPeriods(token)
  const rate = (name: 'requests_per_minute' | 'tokens_per_minute' | 'max_concurrent') =>
    token[name] > 0 ? format.number(token[name]) : null
  const names = (text: string) => {
    const all = parseSeparatedList(text)
    return all.length === 0 ? null : <Names all={all} />
  }
  const lines = [
    ...(['requests_per_minute', 'tokens_per_minute', 'max_concurrent'] as const).map(
      (name) => [field(name).label, rate(name)] as const,
    ),
    [field('fallback_models').label, names(token.fallback_models)],
    [t('Allowed models'), token.model_limits_enabled ? names(token.model_limits) : null],
    [field('allow_ips').label, names(token.allow_ips)],
  ] as const
  const set = lines.filter(([, shown]) => shown !== null)
  return (
    <div className="token-limits">
      {budgets.length > 0 && (
        <div className="token-budgets">
          {budgets.map((period) => (
            <div key={period}>
              <span className="muted">{field(`budget_${period}`).label}</span>
              <BudgetMeter token={token} period={period} />
            </div>
          ))}
        </div>
      )}
      {set.length > 0 && (
        <dl className="lines">
          {set.map(([label, shown]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{shown}</dd>
            </div>
          ))}
        </dl>
      )}
      {budgets.length + set.length === 0 && <p className="muted">{t('No budgets and no limits.')}</p>}
      <Link to={`/log?token_name=${encodeURIComponent(token.name)}`}>{t('Calls of this token')}</Link>
    </div>
  )
}

function Names({ all }: { all: readonly string[] }) {
  return (
    <span className="tags">
      {all.map((name) => (
        <StateTag key={name} color="white" isName>
          {name}
        </StateTag>
      ))}
    </span>
  )
}
