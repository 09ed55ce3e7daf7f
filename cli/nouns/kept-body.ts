// Display of stored bodies of calls.
import type { BodyContent, BodyKey, KeptBody } from '../../core/bodies/kept-body.ts'
import { words } from '../../core/errors.ts'
import { count, flag, list, number, object, text, time, type View } from '../view.ts'

export const keptBodyView: View<KeptBody> = {
  request_id: text(words('REQUEST', '请求编号'), 1, (body) => body.request_id),
  created: time(words('TIME', '时间'), 1, (body) => body.created_at),
  token: count(words('TOKEN', '令牌'), 1, (body) => body.token_id || null),
  bytes: count(words('BYTES', '字节'), 1, ({ bytes }) => bytes),
}

export const bodyKeyView: View<BodyKey> = {
  recipient: text(words('PUBLIC KEY', '公钥'), 1, ({ recipient }) => recipient),
  every_token: flag(words('ALL TOKENS', '全部令牌'), 1, (key) => key.every_token),
  tokens: list(words('TOKENS', '令牌'), 1, (key) => key.token_ids.map(String)),
}

const formatBody = ({ text: bodyText, base64, cut, bytes }: BodyContent['request']): string =>
  `${bodyText ?? base64 ?? ''}${cut ? `\n… (${bytes})` : ''}`

export const bodyContentView: View<BodyContent> = {
  request_id: text(words('REQUEST ID', '请求编号'), 1, (content) => content.request_id),
  at: text(words('TIME', '时间'), 1, ({ at }) => at),
  status: number(words('STATUS', '状态码'), 1, ({ status }) => status || null),
  error: text(words('ERROR', '错误'), 1, ({ error }) => error || null),
  request: object(words('REQUEST', '请求'), ({ request }) => request),
  answer: object(words('ANSWER', '回答'), ({ answer }) => answer),
}

/** Formats both bodies for people. */
export const contentWords = ({ request, answer, error }: BodyContent) => {
  const answerText = error === '' ? formatBody(answer) : error
  return words(
    `Request:\n${formatBody(request)}\n\nAnswer:\n${answerText}`,
    `请求：\n${formatBody(request)}\n\n回答：\n${answerText}`,
  )
}
