// The expanded details of a log row: the path of the call, its errors, and the calculation of its charge.
import type { ReactNode } from 'react'
import type { CallDetail } from '../../../core/calls/detail.ts'
import { LOG_ROW_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'
import { apiClient, RequestFailure } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { useTranslatedLogText } from '../../data/use-translated-log-text.ts'
import { CopyableText } from '../../parts/text/copy.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useText, texts } from '../../data/texts.tsx'
import { CallBill } from './bill.tsx'
import { isCallRow } from './call-row.ts'
import { formatTriedChannels } from './columns.tsx'
import { parseDetail } from './detail.ts'
import { formatRatios } from './ratios.ts'
import { AttemptWaterfall } from './waterfall.tsx'

const ENDING_TEXTS = texts({
  balanceSpent: 'Ended because the balance was used up',
  callerLeft: 'The client disconnected; the answer was read to its end to count its usage',
})

type LabelledFact = [label: string, value: ReactNode]

export function LogDetail({ entry, isAdmin }: { entry: LogEntry; isAdmin: boolean }) {
  const t = useText()
  const translate = useTranslatedLogText()
  const detail = parseDetail(entry.other)
  const charged = entry.type === LOG_ROW_TYPE.consumption
  const { cost, margin } = detail.admin_info ?? {}
  const { exactQuota } = useFormat()
  const explanation = useExplanation(entry, isAdmin)
  const { lines = [], group_ratio = null } = detail
  const bill = charged ? (explanation ?? { lines, group_ratio, quota: entry.quota }) : null
  const facts: (LabelledFact | false | undefined | '' | 0)[] = [
    isAdmin &&
      isCallRow(entry) &&
      entry.channel > 0 && [t('Channel information'), `${entry.channel} - ${entry.channel_name}`],
    isAdmin &&
      formatTriedChannels(entry) !== '' &&
      isCallRow(entry) && [t('Channels tried'), formatTriedChannels(entry)],
    detail.audio_input && [t('Voice input'), detail.audio_input],
    detail.audio_output && [t('Voice output'), detail.audio_output],
    (detail.audio || detail.ws) && detail.text_input && [t('Text input'), detail.text_input],
    (detail.audio || detail.ws) && detail.text_output && [t('Text output'), detail.text_output],
    detail.cache_tokens && [t('Cache tokens'), detail.cache_tokens],
    detail.cache_creation_tokens && [t('Cache creation tokens'), detail.cache_creation_tokens],
    detail.reasoning_tokens && [t('Reasoning tokens'), detail.reasoning_tokens],
    detail.reasoning_effort && [t('Reasoning Effort'), detail.reasoning_effort],
    charged && detail.group_ratio !== undefined && [t('Log details'), formatRatios(detail, t)],
    detail.asked_model && [t('Requested name'), detail.asked_model],
    detail.asked_model && [t('Billed model'), entry.model_name],
    !detail.asked_model && detail.upstream_model_name && [t('Requested and billed model'), entry.model_name],
    detail.upstream_model_name && [t('Actual model'), detail.upstream_model_name],
    cost !== undefined && [t('Purchase cost'), exactQuota(cost)],
    margin !== undefined && [t('Margin'), exactQuota(margin)],
    detail.cut_short && [t('Ended early'), detail.cut_short],
    getEndReason(detail) && [t('End', { context: 'way' }), t(ENDING_TEXTS[getEndReason(detail)!])],
    getFailure(detail) && [t('Error'), getFailure(detail)],
    detail.refused && [t('Refused calls'), `${detail.refused.calls} · ${detail.refused.reason}`],
    !charged && entry.content && [t('Content'), translate(entry.content)],
    entry.request_id && [t('Request ID'), <CopyableText key="id" text={entry.request_id} />],
  ]
  return (
    <div className="log-detail">
      <dl>
        {facts
          .filter((fact): fact is LabelledFact => Array.isArray(fact))
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {bill && bill.lines.length > 0 && <CallBill bill={bill} estimated={detail.estimated === true} />}
      {explanation && explanation.attempts.length > 0 && <AttemptWaterfall attempts={explanation.attempts} />}
    </div>
  )
}

/**
 * Loads the explanation from the ledger and the attempts. The facts of the row itself are shown until then, and if
 * there are none.
 */
function useExplanation({ request_id }: LogEntry, isAdmin: boolean) {
  const { data } = useEndpoint(['logs.explain', request_id, isAdmin], async () => {
    if (request_id === '') return null
    try {
      return await (isAdmin ? apiClient.logs.explain({ request_id }) : apiClient.logs.explainSelf({ request_id }))
    } catch (error) {
      if (error instanceof RequestFailure) return null
      throw error
    }
  })
  return data ?? null
}

/** Returns why the caller did not receive the whole answer, although nothing failed. */
const getEndReason = ({ balance_spent, caller_left }: CallDetail) =>
  balance_spent ? 'balanceSpent' : caller_left ? 'callerLeft' : undefined

const getFailure = ({ status_code, error_type, error_code }: CallDetail) =>
  [status_code, error_type, error_code].filter((part) => part !== undefined && part !== '').join(' · ')
