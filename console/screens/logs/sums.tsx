// The sum of the charged calls that match the filters, and the rates of the last minute.
import type { LogStatistics } from '../../../core/logs/log.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { Tag } from '../../parts/tags.tsx'
import { words } from './texts.ts'

export function LogSums({ sums }: { sums: LogStatistics | undefined }) {
  const t = useTexts(words)
  const format = useFormat()
  if (!sums) return null
  const { calls, quota, prompt_tokens, completion_tokens, rpm, tpm } = sums
  const formatCount = (phrase: string, n: number) => fillPhrase(phrase, { n: format.number(n) })
  return (
    <span className="tags log-sums">
      <Tag color="blue">{fillPhrase(t.usedQuota, { amount: format.quota(quota) })}</Tag>
      <Tag color="white">{formatCount(t.sumOfCalls, calls)}</Tag>
      <Tag color="white">{formatCount(t.sumOfPrompts, prompt_tokens)}</Tag>
      <Tag color="white">{formatCount(t.sumOfCompletions, completion_tokens)}</Tag>
      <Tag color="white" tip={t.lastMinute}>
        RPM: {format.number(rpm)}
      </Tag>
      <Tag color="white" tip={t.lastMinute}>
        TPM: {format.number(tpm)}
      </Tag>
    </span>
  )
}
