// The reply shape of every JSON call: {success, message, data}, and further fields next to data.

export interface Envelope {
  success: boolean
  message: string
  data?: unknown
  /** The stable name of a refusal (see core/errors.ts); absent on success. */
  code?: string
  /** The path of the refused field, if the refusal is about one. */
  field?: string
  /** Every field that is refused, `field` with its message first. */
  fields?: { field: string; message: string }[]
  [extra: string]: unknown
}

/** Builds the reply of a success; `beside` has the fields next to `data`, and may set the message. */
export const successEnvelope = (data: unknown, extra: Record<string, unknown> = {}): Envelope => ({
  success: true,
  message: '',
  ...extra,
  data,
})

/** A refusal with its public message and stable code; `beside` as in a success. */
export const refusedEnvelope = (message: string, code: string, extra: Record<string, unknown> = {}): Envelope => ({
  ...extra,
  success: false,
  message,
  code,
})
