// A refusal as a thrown value. The table of all of them is errors.data.ts; each face turns one into a reply in one place.
import { errors, type ErrorKind, type ErrorRow } from './errors.data.ts'

export { errors, type ErrorKind } from './errors.data.ts'

export type ErrorCode = keyof typeof errors
export type Language = 'en' | 'zh'
type Parameters = Record<string, string | number>

const fill = (text: string, parameters: Parameters) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole))

/** A refusal with a public message. `detail` and `cause` are for our own log and never shown. */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly parameters: Parameters
  readonly detail?: string
  /** When it is worth asking again, in ms from now. */
  readonly retry_after_ms?: number
  /** Fields that stand beside the message, as a success has them. */
  readonly beside?: Record<string, unknown>

  constructor(
    code: ErrorCode,
    parameters: Parameters = {},
    more: { detail?: string; cause?: unknown; retry_after_ms?: number; beside?: Record<string, unknown> } = {},
  ) {
    super(fill(errors[code].en, parameters), { cause: more.cause })
    this.name = 'GatewayError'
    this.code = code
    this.parameters = parameters
    this.detail = more.detail
    this.retry_after_ms = more.retry_after_ms
    this.beside = more.beside
  }

  get kind(): ErrorKind {
    return errors[this.code].kind
  }

  /** HTTP status and `error.code` at the relay's door. */
  get relay(): { status: number; code?: string } {
    return (errors[this.code] as ErrorRow).relay ?? { status: relayStatus[this.kind] }
  }

  /** The public message in the language of the person asking. */
  text(language: Language): string {
    return fill(errors[this.code][language], this.parameters)
  }
}

const relayStatus: Record<ErrorKind, number> = {
  invalid: 400,
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
 * Refuses.
 * @throws GatewayError always
 */
export function fail(
  code: ErrorCode,
  parameters?: Parameters,
  more?: ConstructorParameters<typeof GatewayError>[2],
): never {
  throw new GatewayError(code, parameters, more)
}

/** Any thrown value as a GatewayError; what we did not foresee is a bug and shows nothing of itself. */
export function asGatewayError(error: unknown): GatewayError {
  return error instanceof GatewayError
    ? error
    : new GatewayError(
        'server.bug',
        {},
        { cause: error, detail: error instanceof Error ? error.message : String(error) },
      )
}
