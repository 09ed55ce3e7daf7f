// Refusals as thrown values. Their table is errors.data.ts; each interface converts them to replies in one place.
import { errors, type ErrorKind, type ErrorRow } from './errors.data.ts'
import { fillIn, fillTemplate, words, type Language, type Parameters, type Words } from './texts.ts'

export { errors, type ErrorKind } from './errors.data.ts'
export {
  composeWords,
  fillTemplate,
  joinList,
  joinTexts,
  LANGUAGES,
  EMPTY_WORDS,
  toWords,
  words,
  type Language,
  type Parameters,
  type Words,
} from './texts.ts'

export type ErrorCode = keyof typeof errors
/** The reasons of a failed connection. */
export type NetworkCode = Extract<ErrorCode, `network.${string}`>

const EXPLAINED = words('{text}: {reason}')

/** Returns the message of a thrown value in English; of a GatewayError with the network error. */
export const getThrownText = (error: unknown): string =>
  error instanceof GatewayError ? error.explained('en') : error instanceof Error ? error.message : String(error)

/** A refusal with a public message. `detail` and `cause` are for the log only and never shown. */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly parameters: Parameters
  readonly detail?: string
  /** Time until a retry may succeed, in ms from now. */
  readonly retry_after_ms?: number
  /** True if no wait helps: the same request would be refused again. */
  readonly is_final?: boolean
  /** Further reply fields, as a successful reply has them. */
  readonly replyFields?: Record<string, unknown>
  /** Path of the refused field in its input. */
  readonly field?: string
  /** Refusals of other fields of the same input. */
  readonly others: readonly GatewayError[]
  /** The network error of this failure or of its cause, if any. */
  readonly network?: NetworkCode

  constructor(code: ErrorCode, parameters: Parameters = {}, more: ErrorDetails = {}) {
    super(fillIn(errors[code], parameters, 'en'), { cause: more.cause })
    this.name = 'GatewayError'
    this.code = code
    this.parameters = parameters
    this.detail = more.detail
    this.retry_after_ms = more.retry_after_ms ?? (errors[code] as ErrorRow).retry_after_ms
    this.is_final = more.is_final
    this.replyFields = more.replyFields
    this.field = more.field
    this.others = more.others ?? []
    this.network = more.network ?? findNetworkCode(more.cause)
  }

  get kind(): ErrorKind {
    return errors[this.code].kind
  }

  /** HTTP status and `error.code` of the relay's reply. */
  get relay(): { status: number; code?: string } {
    return (errors[this.code] as ErrorRow).relay ?? { status: relayStatus[this.kind] }
  }

  /** Returns the public message in the caller's language. */
  text(language: Language): string {
    return fillIn(errors[this.code], this.parameters, language)
  }

  /** Returns the public message in both languages. */
  get words(): Words {
    return fillTemplate(errors[this.code], this.parameters)
  }

  /** Returns the error of each field, if known; the first is the message itself. */
  fields(language: Language): { field: string; message: string }[] {
    return [this, ...this.others].flatMap((each) =>
      each.field === undefined ? [] : [{ field: each.field, message: each.text(language) }],
    )
  }

  /** Returns the message for operators, with the network error. Callers of models get no details of upstreams. */
  explained(language: Language): string {
    if (this.network === undefined) return this.text(language)
    return fillIn(EXPLAINED, { text: this.text(language), reason: errors[this.network] }, language)
  }
}

interface ErrorDetails {
  detail?: string
  cause?: unknown
  retry_after_ms?: number
  is_final?: boolean
  replyFields?: Record<string, unknown>
  field?: string
  others?: readonly GatewayError[]
  network?: NetworkCode
}

function findNetworkCode(cause: unknown): NetworkCode | undefined {
  for (let error = cause; error instanceof Error; error = error.cause)
    if (error instanceof GatewayError) return error.network
  return undefined
}

const relayStatus: Record<ErrorKind, number> = {
  invalid: 400,
  precondition: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  exhausted: 403,
  limited: 429,
  upstream: 502,
  bug: 500,
}

/**
 * Throws a refusal.
 * @throws GatewayError always
 */
export function fail(
  code: ErrorCode,
  parameters?: Parameters,
  more?: ConstructorParameters<typeof GatewayError>[2],
): never {
  throw new GatewayError(code, parameters, more)
}

/** Converts any thrown value to a GatewayError. An unexpected one is a bug, and its message is not shown. */
export function asGatewayError(error: unknown): GatewayError {
  return error instanceof GatewayError
    ? error
    : new GatewayError('server.bug', {}, { cause: error, detail: getThrownText(error) })
}
