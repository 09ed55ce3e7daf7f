// Failures of a command: the sentence for people, the stable code for scripts, and the exit code.
import { CommanderError } from 'commander'
import { ConfigError } from '../core/config.ts'
import { GatewayError, thrownText, type Language } from '../core/errors.ts'
import { inLanguage, type Said } from './language.ts'
import { words } from './texts.ts'

export const EXIT = { ok: 0, failed: 1, usage: 2, cancelled: 130 } as const

/** A wrong command line; the message names the flag. */
export class UsageError extends Error {
  readonly said: Said
  /** Every refused field, beginning with the one that the message is about. */
  readonly fields: readonly { field: string; said: Said }[]

  constructor(text: Said, fields: readonly { field: string; said: Said }[] = []) {
    super(inLanguage(text, 'en'))
    this.said = text
    this.fields = fields
  }
}

/** The person pressed Ctrl+C or left the form. */
export class Cancelled extends Error {}

/** The reason for refusing one field, with its path. */
export interface FieldFailure {
  field: string
  message: string
}

/** A refusal received over the wire. */
export class Refusal extends Error {
  readonly said: Said
  readonly code: string
  /** Every refused field, beginning with the one that the message is about. */
  readonly fields: readonly FieldFailure[]

  constructor(text: Said, code: string, fields: readonly FieldFailure[] = []) {
    super(inLanguage(text, 'en'))
    this.said = text
    this.code = code
    this.fields = fields
  }
}

/** No Weir answers at the given address. */
export class Unreachable extends Error {
  readonly said: Said

  constructor(text: Said, options?: ErrorOptions) {
    super(inLanguage(text, 'en'), options)
    this.said = text
  }
}

const CANCELLED = words('Cancelled: nothing was changed.')

export interface Failure {
  exit: number
  message: string
  code?: string
  /** Every refused field; the message is that of the first. */
  fields?: readonly FieldFailure[]
}

/** Converts any thrown value into a sentence and an exit code; null if everything has been printed already. */
export function toCliFailure(error: unknown, language: Language): Failure | null {
  if (error instanceof Cancelled) return { exit: EXIT.cancelled, message: inLanguage(CANCELLED, language) }
  if (error instanceof UsageError) {
    const fields = error.fields.map(({ field, said: text }) => ({ field, message: inLanguage(text, language) }))
    return { exit: EXIT.usage, message: inLanguage(error.said, language), code: 'usage', fields }
  }
  if (error instanceof CommanderError) return null
  if (error instanceof Refusal)
    return { exit: EXIT.failed, message: inLanguage(error.said, language), code: error.code, fields: error.fields }
  if (error instanceof GatewayError) return fromGatewayError(error, language)
  if (error instanceof Unreachable)
    return { exit: EXIT.failed, message: inLanguage(error.said, language), code: 'unreachable' }
  if (error instanceof ConfigError)
    return { exit: error.flag ? EXIT.usage : EXIT.failed, message: error.said[language], code: 'config' }
  return { exit: EXIT.failed, message: thrownText(error) }
}

// On the host, the reader of the message is the operator, so the cause of a bug is shown.
function fromGatewayError(error: GatewayError, language: Language): Failure {
  const detail = error.kind === 'bug' && error.detail ? ` (${error.detail})` : ''
  return {
    exit: EXIT.failed,
    message: error.explained(language) + detail,
    code: error.code,
    fields: error.fields(language),
  }
}
