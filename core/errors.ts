// A refusal as a thrown value. The table of all of them is errors.data.ts; each face turns one into a reply in one place.
import { errors, type ErrorKind, type ErrorRow } from './errors.data.ts'

export { errors, type ErrorKind } from './errors.data.ts'

export type ErrorCode = keyof typeof errors
/** Why nothing came of a connection. */
export type NetworkCode = Extract<ErrorCode, `network.${string}`>
export type Language = 'en' | 'zh'
/** The same said in both languages. */
export type Words = Readonly<Record<Language, string>>

/** Says it in both. */
export const words = (en: string, zh: string): Words => ({ en, zh })

/** What fills the `{name}`s of a message; words are said in the language of the message. */
export type Parameters = Readonly<Record<string, string | number | Words>>

const fill = (words: Words, parameters: Parameters, language: Language) =>
  words[language].replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = parameters[name]
    return String((typeof value === 'object' ? value[language] : value) ?? whole)
  })

/** Words with their `{name}`s filled. */
export const fillTemplate = (words: Words, parameters: Parameters): Words => ({
  en: fill(words, parameters, 'en'),
  zh: fill(words, parameters, 'zh'),
})

/** What a thrown value says, in English; refusals of ours with what the network said. */
export const thrownText = (error: unknown): string =>
  error instanceof GatewayError ? error.explained('en') : error instanceof Error ? error.message : String(error)

/** A refusal with a public message. `detail` and `cause` are for our own log and never shown. */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly parameters: Parameters
  readonly detail?: string
  /** When it is worth asking again, in ms from now. */
  readonly retry_after_ms?: number
  /** Fields that stand beside the message, as a success has them. */
  readonly beside?: Record<string, unknown>
  /** The path of the field that is refused, in its input. */
  readonly field?: string
  /** Refusals of other fields of the same input. */
  readonly others: readonly GatewayError[]
  /** What the network said, where it was the network's fault: its own, or that of what caused it. */
  readonly network?: NetworkCode

  constructor(code: ErrorCode, parameters: Parameters = {}, more: More = {}) {
    super(fill(errors[code], parameters, 'en'), { cause: more.cause })
    this.name = 'GatewayError'
    this.code = code
    this.parameters = parameters
    this.detail = more.detail
    this.retry_after_ms = more.retry_after_ms ?? (errors[code] as ErrorRow).retry_after_ms
    this.beside = more.beside
    this.field = more.field
    this.others = more.others ?? []
    this.network = more.network ?? networkIn(more.cause)
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
    return fill(errors[this.code], this.parameters, language)
  }

  /** The public message in both languages. */
  get words(): Words {
    return fillTemplate(errors[this.code], this.parameters)
  }

  /** What is wrong with each field, where it is known; the first is the message itself. */
  fields(language: Language): { field: string; message: string }[] {
    return [this, ...this.others].flatMap((each) =>
      each.field === undefined ? [] : [{ field: each.field, message: each.text(language) }],
    )
  }

  /** The same for those who can mend it: with what the network said. Callers of models are told nothing of upstreams. */
  explained(language: Language): string {
    if (this.network === undefined) return this.text(language)
    return `${this.text(language)}${language === 'zh' ? '：' : ': '}${errors[this.network][language]}`
  }
}

interface More {
  detail?: string
  cause?: unknown
  retry_after_ms?: number
  beside?: Record<string, unknown>
  field?: string
  others?: readonly GatewayError[]
  network?: NetworkCode
}

function networkIn(cause: unknown): NetworkCode | undefined {
  for (let error = cause; error instanceof Error; error = error.cause)
    if (error instanceof GatewayError) return error.network
  return undefined
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
    : new GatewayError('server.bug', {}, { cause: error, detail: thrownText(error) })
}
