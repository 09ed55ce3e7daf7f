// The page of errors: every refusal with its stable code.
import { GatewayError, errors, type ErrorCode } from '../../core/errors.ts'
import { code, markdownTable, type Page } from './page.ts'

export const errorsPage: Page = {
  topic: 'errors',
  summary: 'Every refusal: code, kind, status, message',
  write: () =>
    [
      '# Errors',
      'The management API answers with `code` and `message`; the model API with the status given here, in the format the caller speaks.',
      markdownTable(
        ['Code', 'Kind', 'Status at the model API', 'Message'],
        (Object.keys(errors) as ErrorCode[]).map((name) => {
          const error = new GatewayError(name)
          const { status, code: relayCode } = error.relay
          return [code(name), error.kind, relayCode ? `${status} ${code(relayCode)}` : String(status), errors[name].en]
        }),
      ),
    ].join('\n\n') + '\n',
}
