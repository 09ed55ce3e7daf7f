// Refusals with an error code of the provider's own: the status that each code means, as the vendors' lists explain it.
import { describe, expect, it } from 'vitest'
import type { Dialect, ProviderDialect } from '../../../core/dialects/dialect.ts'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import { dashscopeImagesLater } from '../../../core/dialects/media/dashscope-images.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import { cozeChatDialect } from '../../../core/dialects/provider-only/coze-chat.ts'
import { hunyuanChatDialect } from '../../../core/dialects/provider-only/hunyuan-chat.ts'
import { sparkChatDialect } from '../../../core/dialects/provider-only/spark-chat.ts'
import { wenxinChatDialect } from '../../../core/dialects/provider-only/wenxin-chat.ts'
import { buildProxyFailure } from '../../../core/dialects/tasks/midjourney/codes.ts'

/** The meanings that the lists have, and their statuses. */
const STATUSES = {
  invalid: 400,
  filtered: 400,
  'too long': 400,
  unauthorized: 401,
  unpaid: 402,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  'too large': 413,
  limited: 429,
  failed: 500,
  unlisted: 502,
  busy: 503,
  late: 504,
  overloaded: 529,
} as const

type Code = string | number
type Meanings = Partial<Record<keyof typeof STATUSES, readonly Code[]>>
interface Refusals {
  read(code: Code): { status: number; code?: unknown } | undefined
  codes: Meanings
}

const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value))
const findFailure = (events: readonly ModelEvent[]) => events.find((event) => event.type === 'failure')?.failure
const inReply = ({ readWholeReply }: ProviderDialect, reply: object) => findFailure(readWholeReply(bytes(reply)))
const inAnswer = ({ readAnswerReport }: Dialect, answer: object) => readAnswerReport(bytes(answer)).failure

const PROVIDERS: Readonly<Record<string, Refusals>> = {
  // github.com/iFLYTEK-OP/websdk-java-demo; 10313 is as in other gateways.
  Spark: {
    read: (code) => inReply(sparkChatDialect, { header: { code, message: 'no' } }),
    codes: {
      invalid: [10003, 10004, 10005, 10163],
      filtered: [10013, 10014, 10019, 10021],
      'too long': [10907],
      unauthorized: [10313, 11200],
      forbidden: [10015, 10016],
      limited: [10006, 10007, 11201, 11202, 11203],
      busy: [10008, 10110],
      unlisted: [10000, 10012, 10222],
    },
  },
  ERNIE: {
    read: (error_code) => inReply(wenxinChatDialect, { error_code, error_msg: 'no' }),
    codes: {
      invalid: [336001, 336002, 336003, 336004, 336006],
      'too long': [336007, 336103, 336104],
      unauthorized: [13, 14, 15, 100, 110, 111],
      forbidden: [6],
      limited: [4, 17, 18, 19, 336501, 336502, 336503, 336504, 336505],
      failed: [336000],
      busy: [336100],
      unlisted: [1, 2, 3],
    },
  },
  Coze: {
    read: (code) => inReply(cozeChatDialect, { code, msg: 'no' }),
    codes: {
      invalid: [4000],
      unauthorized: [4100, 700012006],
      forbidden: [4101],
      missing: [4200],
      limited: [4011, 4013],
      unlisted: [5000],
    },
  },
  Hunyuan: {
    read: (Code) => inReply(hunyuanChatDialect, { Response: { Error: { Code, Message: 'no' } } }),
    codes: {
      invalid: ['InvalidParameter', 'InvalidParameterValue.Model'],
      unauthorized: ['AuthFailure', 'AuthFailure.SignatureFailure'],
      unpaid: ['ResourceInsufficient.ChargeResourceExhaust'],
      forbidden: ['UnauthorizedOperation'],
      limited: ['RequestLimitExceeded', 'LimitExceeded'],
      failed: ['InternalError'],
    },
  },
  // platform.minimax.io/docs/api-reference/errorcode
  MiniMax: {
    read: (status_code) => inAnswer(openaiChat, { base_resp: { status_code, status_msg: 'no' } }),
    codes: {
      invalid: [1042, 2013],
      filtered: [1026, 1027],
      unauthorized: [1004, 2049],
      unpaid: [1008],
      limited: [1002, 1039, 1041, 2045, 2056],
      unlisted: [1000, 1001, 1024, 1033],
    },
  },
  DashScope: {
    read: (code) => {
      const pending = dashscopeImagesLater.getPending({ output: { task_status: 'FAILED', code, message: 'no' } })
      return pending && 'failure' in pending ? pending.failure : undefined
    },
    codes: {
      invalid: ['InvalidParameter', 'InvalidParameter.DataInspection', 'InvalidURL', 'BadRequest.TooLarge'],
      filtered: ['DataInspectionFailed', 'IPInfringementSuspect'],
      forbidden: ['Arrearage', 'AccessDenied.Unpurchased'],
      limited: ['Throttling', 'Throttling.RateQuota'],
      failed: ['InternalError.Timeout', 'UNKNOWN'],
    },
  },
  'proxies of Midjourney': {
    read: (code) => buildProxyFailure(Number(code), 'no'),
    codes: { invalid: [4], filtered: [24], limited: [23], failed: [9], busy: [3], unlisted: [77] },
  },
  'OpenAI, in failed responses': {
    read: (code) => inAnswer(openaiResponses, { id: 'r', status: 'failed', error: { code, message: 'no' } }),
    codes: {
      invalid: ['invalid_prompt', 'invalid_image'],
      filtered: ['image_content_policy_violation'],
      'too long': ['context_length_exceeded'],
      limited: ['rate_limit_exceeded', 'insufficient_quota'],
      failed: ['server_error'],
      unlisted: ['vector_store_timeout'],
    },
  },
  'Anthropic, in streams': {
    read: (type) => {
      const data = JSON.stringify({ type: 'error', error: { type, message: 'no' } })
      return findFailure(anthropicMessages.reader()({ event: 'error', data }))
    },
    codes: {
      invalid: ['invalid_request_error'],
      unauthorized: ['authentication_error'],
      unpaid: ['billing_error'],
      forbidden: ['permission_error'],
      missing: ['not_found_error'],
      conflict: ['conflict_error'],
      'too large': ['request_too_large'],
      limited: ['rate_limit_error'],
      failed: ['api_error'],
      late: ['timeout_error'],
      overloaded: ['overloaded_error'],
      unlisted: ['another_error'],
    },
  },
}

describe('the codes of a provider', () => {
  it.each(Object.entries(PROVIDERS))('are statuses by their meaning: %s', (_, { read, codes }) => {
    const expected = Object.entries(codes).flatMap(([meaning, listed]) =>
      listed.map((code) => [code, STATUSES[meaning as keyof Meanings]]),
    )
    expect(expected.map(([code]) => [code, read(code!)?.status])).toEqual(expected)
  })
})
