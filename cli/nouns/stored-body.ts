// Display of stored bodies of calls.
import type { BodyContent, BodyKey, StoredCallBody } from '../../core/bodies/stored-body.ts'
import { fillTemplate } from '../../core/errors.ts'
import { words } from '../texts.ts'
import { count, flag, list, number, object, text, time, type OutputView } from '../output/view.ts'

export const keptBodyView: OutputView<StoredCallBody> = {
  request_id: text(words('REQUEST'), 1, (body) => body.request_id),
  created: time(words('TIME'), 1, (body) => body.created_at),
  token: count(words('TOKEN'), 1, (body) => body.token_id || null),
  bytes: count(words('BYTES'), 1, ({ bytes }) => bytes),
}

export const bodyKeyView: OutputView<BodyKey> = {
  recipient: text(words('PUBLIC KEY'), 1, ({ recipient }) => recipient),
  every_token: flag(words('ALL TOKENS'), 1, (key) => key.every_token),
  tokens: list(words('TOKENS'), 1, (key) => key.token_ids.map(String)),
}

const formatBody = ({ text: bodyText, base64, cut, bytes }: BodyContent['request']): string =>
  `${bodyText ?? base64 ?? ''}${cut ? `\n… (${bytes})` : ''}`

export const bodyContentView: OutputView<BodyContent> = {
  request_id: text(words('REQUEST ID'), 1, (content) => content.request_id),
  at: text(words('TIME'), 1, ({ at }) => at),
  status: number(words('STATUS', { context: 'http' }), 1, ({ status }) => status || null),
  error: text(words('ERROR'), 1, ({ error }) => error || null),
  request: object(words('REQUEST', { context: 'content' }), ({ request }) => request),
  answer: object(words('ANSWER'), ({ answer }) => answer),
}

/** Formats both bodies for people. */
export const formatBodyContent = ({ request, answer, error }: BodyContent) => {
  const answerText = error === '' ? formatBody(answer) : error
  return fillTemplate(words('Request:\n{request}\n\nAnswer:\n{answerText}'), {
    request: formatBody(request),
    answerText,
  })
}
