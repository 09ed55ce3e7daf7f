// The reference page of errors: every refusal with its stable code.
import { GatewayError, errors, words, type ErrorCode } from '../../core/errors.ts'
import { code, markdownTable, type Page } from './page.ts'

export const errorsPage: Page = {
  topic: 'errors',
  summary: words('Every refusal: code, kind, status, message', '每种拒绝：代码、种类、状态码、消息'),
  write: (_, language) =>
    [
      `# ${TITLE[language]}`,
      HOW[language],
      markdownTable(
        TITLES.map((title) => title[language]),
        (Object.keys(errors) as ErrorCode[]).map((name) => {
          const error = new GatewayError(name)
          const { status, code: relayCode } = error.relay
          const shown = relayCode ? `${status} ${code(relayCode)}` : String(status)
          return [code(name), error.kind, shown, errors[name][language]]
        }),
      ),
    ].join('\n\n') + '\n',
}

const TITLE = words('Errors', '错误')
const HOW = words(
  'The management API answers with `code` and `message`; the model API with the status given here, in the format the caller speaks.',
  '管理 API 以 `code` 与 `message` 应答；模型 API 使用此处的状态码，格式与调用方一致。',
)
const TITLES = [
  words('Code', '代码'),
  words('Kind', '种类'),
  words('Status at the model API', '模型 API 状态码'),
  words('Message', '消息'),
]
