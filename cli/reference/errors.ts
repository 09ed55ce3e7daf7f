// The reference page of errors: every refusal with its stable code.
import { errors, GatewayError, type ErrorCode } from '../../core/errors.ts'
import { formatMarkdownCode, formatMarkdownTable, type ReferencePage } from './page.ts'
import { words } from '../texts.ts'

export const errorsReferencePage: ReferencePage = {
  topic: 'errors',
  summary: words('Every refusal: code, kind, status, message'),
  write: (_, language) =>
    [
      `# ${TITLE[language]}`,
      HOW[language],
      formatMarkdownTable(
        TITLES.map((title) => title[language]),
        (Object.keys(errors) as ErrorCode[]).map((name) => {
          const error = new GatewayError(name)
          const { status, code: relayCode } = error.relay
          const shown = relayCode ? `${status} ${formatMarkdownCode(relayCode)}` : String(status)
          return [formatMarkdownCode(name), error.kind, shown, errors[name][language]]
        }),
      ),
    ].join('\n\n') + '\n',
}

const TITLE = words('Errors')
const HOW = words(
  'The management API answers with `code` and `message`; the model API with the status given here, in the format the caller speaks.',
)
const TITLES = [words('Code'), words('Kind'), words('Status at the model API'), words('Message')]
