// What unfolds under a log row: where the call went, what went wrong, and how its charge came about.
import type { ReactNode } from 'react'
import { detailOf, isFixedPrice, type CallDetail } from '../../../core/calls/detail.ts'
import type { ExplainedLine } from '../../../core/pricing/charge-lines.ts'
import { LOG_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'
import { useStatus } from '../../data/status.ts'
import { fill, useLanguage, useTexts } from '../../data/texts.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { useQuotaText } from '../../parts/quota.tsx'
import { nameOfLine, priceOfLine } from './charge-line.ts'
import { isCall, triedChannels } from './columns.tsx'
import { words } from './texts.ts'

type Fact = [label: string, value: ReactNode]

export function LogDetail({ entry, isAdmin }: { entry: LogEntry; isAdmin: boolean }) {
  const t = useTexts(words)
  const detail = detailOf(entry.other)
  const charged = entry.type === LOG_TYPE.consumption
  const { cost, margin } = detail.admin_info ?? {}
  const quotaText = useQuotaText()
  const facts: (Fact | false | undefined | '' | 0)[] = [
    isAdmin && isCall(entry) && entry.channel > 0 && [t.channelInfo, `${entry.channel} - ${entry.channel_name}`],
    isAdmin && triedChannels(entry) !== '' && isCall(entry) && [t.tried, triedChannels(entry)],
    detail.cache_tokens && [t.cached, detail.cache_tokens],
    detail.cache_creation_tokens && [t.cacheCreated, detail.cache_creation_tokens],
    detail.reasoning_tokens && [t.reasoning, detail.reasoning_tokens],
    detail.reasoning_effort && [t.effort, detail.reasoning_effort],
    charged && detail.group_ratio !== undefined && [t.ratios, <Ratios key="ratios" detail={detail} />],
    detail.upstream_model_name && [t.requestedModel, entry.model_name],
    detail.upstream_model_name && [t.actualModel, detail.upstream_model_name],
    cost !== undefined && [t.bought, quotaText(cost, 6)],
    margin !== undefined && [t.margin, quotaText(margin, 6)],
    detail.cut_short && [t.cutShort, detail.cut_short],
    endOf(detail) && [t.ending, t[endOf(detail)!]],
    failureOf(detail) && [t.failure, failureOf(detail)],
    !charged && entry.content && [t.content, entry.content],
    entry.request_id && [t.requestId, <Copyable key="id" text={entry.request_id} />],
  ]
  return (
    <div className="log-detail">
      <dl>
        {facts
          .filter((fact): fact is Fact => Array.isArray(fact))
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {charged && detail.lines && detail.lines.length > 0 && (
        <Billing lines={detail.lines} quota={entry.quota} estimated={detail.estimated === true} />
      )}
    </div>
  )
}

/** Why the whole answer did not reach its caller, where neither failed. */
const endOf = ({ balance_spent, caller_left }: CallDetail) =>
  balance_spent ? 'balanceSpent' : caller_left ? 'callerLeft' : undefined

const failureOf = ({ status_code, error_type, error_code }: CallDetail) =>
  [status_code, error_type, error_code].filter((part) => part !== undefined && part !== '').join(' · ')

function Ratios({ detail }: { detail: CallDetail }) {
  const t = useTexts(words)
  const { model_ratio = 0, model_price = 0, completion_ratio = 1, group_ratio = 1, cache_ratio = 1 } = detail
  if (isFixedPrice(detail)) return fill(t.fixedPrice, { price: `$${model_price}`, group: group_ratio })
  const line = fill(t.ratioLine, { model: model_ratio, output: completion_ratio, group: group_ratio })
  return detail.cache_tokens ? `${line}, ${fill(t.cacheRatio, { cache: cache_ratio })}` : line
}

/** The lines of a charge as the ledger computed them, and what was taken. */
function Billing({ lines, quota, estimated }: { lines: ExplainedLine[]; quota: number; estimated: boolean }) {
  const t = useTexts(words)
  const quotaText = useQuotaText()
  const { quota_per_unit } = useStatus()
  const { language } = useLanguage()
  return (
    <table className="billing">
      <caption>{t.billing}</caption>
      <thead>
        <tr>
          <th scope="col">{t.what}</th>
          <th scope="col">{t.count}</th>
          <th scope="col">{t.price}</th>
          <th scope="col">{t.amount}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <tr key={index}>
            <td>{nameOfLine(line, language)}</td>
            <td>{line.count}</td>
            <td>{priceOfLine(line, quota_per_unit, language)}</td>
            <td>{quotaText(Number(line.quota), 6)}</td>
          </tr>
        ))}
        <tr className="billing-total">
          <td colSpan={3}>{t.total}</td>
          <td>{quotaText(quota, 6)}</td>
        </tr>
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={4}>{estimated ? `${t.estimated}. ${t.reference}` : t.reference}</td>
        </tr>
      </tfoot>
    </table>
  )
}
