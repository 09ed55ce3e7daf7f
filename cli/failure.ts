// Failures of a command: the sentence for people, the stable code for scripts, and the exit code.
import { CommanderError } from 'commander'
import { ConfigError } from '../core/config.ts'
import { GatewayError, getThrownText, type Language } from '../core/errors.ts'
import { errors } from '../core/errors.data.ts'
import { pickLanguage, type BilingualText } from './language.ts'
import { words } from './texts.ts'

/** Those for programs that cannot be started are the ones of a shell. */
export const EXIT_CODE = { ok: 0, failed: 1, usage: 2, notExecutable: 126, notFound: 127, cancelled: 130 } as const

/** A wrong command line; the message names the flag. */
export class UsageError extends Error {
  readonly text: BilingualText
  /** Every refused field, beginning with the one that the message is about. */
  readonly fields: readonly { field: string; text: BilingualText }[]

  constructor(text: BilingualText, fields: readonly { field: string; text: BilingualText }[] = []) {
    super(pickLanguage(text, 'en'))
    this.text = text
    this.fields = fields
  }
}

/** The person pressed Ctrl+C or left the form. */
export class CommandCancelled extends Error {}

/** The reason for refusing one field, with its path. */
export interface FieldFailure {
  field: string
  message: string
}

/** A refusal received over the wire. */
export class GatewayRefusal extends Error {
  readonly text: BilingualText
  readonly code: string
  /** Every refused field, beginning with the one that the message is about. */
  readonly fields: readonly FieldFailure[]

  constructor(text: BilingualText, code: string, fields: readonly FieldFailure[] = []) {
    super(pickLanguage(text, 'en'))
    this.text = text
    this.code = code
    this.fields = fields
  }
}

/** Returns a refusal of the gateway, from afar or in this process, as its code and text; undefined for other errors. */
export function findRefusal(error: unknown): { code: string; text: BilingualText } | undefined {
  if (error instanceof GatewayRefusal) return error
  return error instanceof GatewayError ? { code: error.code, text: error.words } : undefined
}

/** The program of `weir run` cannot be started. */
export class ProgramNotStarted extends Error {
  readonly text: BilingualText
  readonly exit: number

  constructor(text: BilingualText, exit: typeof EXIT_CODE.notExecutable | typeof EXIT_CODE.notFound) {
    super(pickLanguage(text, 'en'))
    this.text = text
    this.exit = exit
  }
}

/** No Weir answers at the given address. */
export class GatewayUnreachable extends Error {
  readonly text: BilingualText

  constructor(text: BilingualText, options?: ErrorOptions) {
    super(pickLanguage(text, 'en'), options)
    this.text = text
  }
}

const CANCELLED = words('Cancelled: nothing was changed.')

export interface CommandFailure {
  exit: number
  message: string
  code?: string
  /** Every refused field; the message is that of the first. */
  fields?: readonly FieldFailure[]
}

/** Converts any thrown value into a sentence and an exit code; null if everything has been printed already. */
export function toCliFailure(error: unknown, language: Language): CommandFailure | null {
  if (error instanceof CommandCancelled)
    return { exit: EXIT_CODE.cancelled, message: pickLanguage(CANCELLED, language) }
  if (error instanceof UsageError) {
    const fields = error.fields.map(({ field, text }) => ({ field, message: pickLanguage(text, language) }))
    return { exit: EXIT_CODE.usage, message: pickLanguage(error.text, language), code: 'usage', fields }
  }
  if (error instanceof CommanderError) return null
  if (error instanceof ProgramNotStarted)
    return { exit: error.exit, message: pickLanguage(error.text, language), code: 'no_program' }
  if (error instanceof GatewayRefusal)
    return {
      exit: exitCodeFor(error.code),
      message: pickLanguage(error.text, language),
      code: error.code,
      fields: error.fields,
    }
  if (error instanceof GatewayError) return fromGatewayError(error, language)
  if (error instanceof GatewayUnreachable)
    return { exit: EXIT_CODE.failed, message: pickLanguage(error.text, language), code: 'unreachable' }
  if (error instanceof ConfigError)
    return { exit: error.flag ? EXIT_CODE.usage : EXIT_CODE.failed, message: error.words[language], code: 'config' }
  return { exit: EXIT_CODE.failed, message: getThrownText(error) }
}

/** A value that the gateway refuses is wrong usage, as one that the command refuses itself. */
function exitCodeFor(code: string): number {
  const kind = Object.hasOwn(errors, code) ? errors[code as keyof typeof errors].kind : undefined
  return kind === 'invalid' ? EXIT_CODE.usage : EXIT_CODE.failed
}

// On the host, the reader of the message is the operator, so the cause of a bug is shown.
function fromGatewayError(error: GatewayError, language: Language): CommandFailure {
  const detail = error.kind === 'bug' && error.detail ? ` (${error.detail})` : ''
  return {
    exit: exitCodeFor(error.code),
    message: error.explained(language) + detail,
    code: error.code,
    fields: error.fields(language),
  }
}
