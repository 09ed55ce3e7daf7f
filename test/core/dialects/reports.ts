// Reports of usage as each dialect's providers write them, from counts, and how the dialect reads them.
import { USAGE_BUCKETS, parseUsage as readClaude } from '../../../core/dialects/anthropic-messages/usage.ts'
import type { UsageBucket, UsageBuckets, UsageReport, Usage } from '../../../core/dialects/answers/usage.ts'
import { USAGE_BUCKETS as gemini, parseUsage as readGemini } from '../../../core/dialects/gemini-generate/usage.ts'
import { USAGE_BUCKETS as openai, parseAnswerUsage as readChat } from '../../../core/dialects/openai-chat/usage.ts'
import { parseRealtimeUsage } from '../../../core/dialects/openai-realtime.ts'
import { parseAnswerUsage as readResponses } from '../../../core/dialects/openai-responses/usage.ts'

export interface Reporter {
  name: string
  /** As the dialect declares it. */
  where: UsageBuckets
  /** The buckets that its reports have a word for. */
  tells: UsageBucket[]
  /** Its reports tell a total. */
  totals: boolean
  read(report: UsageReport): Usage | undefined
}

const ALL: UsageBucket[] = [
  ...(['cache_read', 'cache_write', 'cache_write_1h', 'audio_in', 'image_in'] as const),
  ...(['audio_out', 'image_out', 'reasoning'] as const),
]
const written = ({ cache_write, cache_write_1h }: UsageReport) => cache_write + cache_write_1h

const details = (report: UsageReport) => ({
  input: {
    cached_tokens: report.cache_read,
    cache_write_tokens: written(report),
    audio_tokens: report.audio_in,
    image_tokens: report.image_in,
  },
  output: { reasoning_tokens: report.reasoning, audio_tokens: report.audio_out, image_tokens: report.image_out },
  cache_creation: { ephemeral_1h_input_tokens: report.cache_write_1h },
})

const asChat = (report: UsageReport) => ({
  prompt_tokens: report.prompt,
  completion_tokens: report.answer,
  total_tokens: report.total,
  prompt_tokens_details: details(report).input,
  completion_tokens_details: details(report).output,
  cache_creation: details(report).cache_creation,
})

const asResponses = (report: UsageReport) => ({
  input_tokens: report.prompt,
  output_tokens: report.answer,
  total_tokens: report.total,
  input_tokens_details: details(report).input,
  output_tokens_details: details(report).output,
  cache_creation: details(report).cache_creation,
})

const asRealtime = (report: UsageReport) => ({
  input_tokens: report.prompt,
  output_tokens: report.answer,
  total_tokens: report.total,
  input_token_details: details(report).input,
  output_token_details: details(report).output,
})

const asClaude = (report: UsageReport) => ({
  input_tokens: report.prompt,
  output_tokens: report.answer,
  cache_read_input_tokens: report.cache_read,
  cache_creation_input_tokens: written(report),
  cache_creation: {
    ephemeral_5m_input_tokens: report.cache_write,
    ephemeral_1h_input_tokens: report.cache_write_1h,
  },
  output_tokens_details: { thinking_tokens: report.reasoning },
})

const modalities = (audio: number, image: number) => [
  { modality: 'AUDIO', tokenCount: audio },
  { modality: 'IMAGE', tokenCount: image },
]

const asGemini = (report: UsageReport) => ({
  promptTokenCount: report.prompt,
  candidatesTokenCount: report.answer,
  totalTokenCount: report.total,
  cachedContentTokenCount: report.cache_read,
  thoughtsTokenCount: report.reasoning,
  promptTokensDetails: modalities(report.audio_in, report.image_in),
  candidatesTokensDetails: modalities(report.audio_out, report.image_out),
})

export const reporters: Reporter[] = [
  {
    ...{ name: 'openai-chat', where: openai, tells: ALL, totals: true },
    read: (report) => readChat({ usage: asChat(report) }),
  },
  {
    ...{ name: 'openai-responses', where: openai, tells: ALL, totals: true },
    read: (report) => readResponses({ usage: asResponses(report) }),
  },
  {
    ...{ name: 'openai-realtime', where: openai, totals: true },
    tells: ALL.filter((bucket) => bucket !== 'cache_write_1h'),
    read: (report) => parseRealtimeUsage(asRealtime(report)),
  },
  {
    ...{ name: 'anthropic-messages', where: USAGE_BUCKETS, totals: false },
    tells: ['cache_read', 'cache_write', 'cache_write_1h', 'reasoning'],
    read: (report) => readClaude(asClaude(report)),
  },
  {
    ...{ name: 'gemini-generate', where: gemini, totals: true },
    tells: ALL.filter((bucket) => !bucket.startsWith('cache_write')),
    read: (report) => readGemini(asGemini(report), undefined),
  },
]
