// Why a call failed.

/** The reason why a call failed, as a caller may read it. `upstream` failures keep the provider's own text. */
export interface CallFailure {
  status: number
  message: string
  /** The message in Chinese, if it is our own. */
  zh?: string
  type: string
  code: string | number | null
  param: string | null
  source: 'gateway' | 'upstream'
  /** Fields of the request that are not supported. */
  unsupported?: string[]
  /** Delay before a retry, in ms. */
  retry_after_ms?: number
  /** True if no wait helps: the same request would be refused again. */
  is_final?: boolean
  /** Request id of the call, for formats that report it. */
  request_id?: string
}
