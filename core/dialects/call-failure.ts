// Why a call failed.

/** Why a call failed, as a caller may read it. `upstream` failures keep the provider's own words. */
export interface CallFailure {
  status: number
  message: string
  /** The message in Chinese, where it is our own. */
  zh?: string
  type: string
  code: string | number | null
  param: string | null
  source: 'gateway' | 'upstream'
  /** Fields of the request that cannot be served. */
  unsupported?: string[]
  /** How long to wait before asking again, in ms. */
  retry_after_ms?: number
  /** Of the call: for formats that have a word for it. */
  request_id?: string
}
