// Which channel keeps an answer for its caller.

/** Where an answer is kept. `key` is the fingerprint of the channel's key. */
export interface KeptResponse {
  id_hash: string
  user_id: number
  channel_id: number
  key: string
  /** Epoch seconds. */
  created_at: number
}

export interface KeptResponseStore {
  /** Does nothing where it is known already. */
  keep(response: KeptResponse): Promise<void>
  find(idHash: string): Promise<KeptResponse | null>
  /** Removes what is older, in epoch seconds. */
  forget(before: number): Promise<void>
}
