// The stores of responses that later calls can continue: those stored by the channel that gave them, and those stored
// by Weir.

export interface StoredResponseRow {
  /** Keyed hash of the response's id. */
  id_hash: string
  user_id: number
  /** The account of the team that paid for it; absent for the user's own. */
  account_id?: number
  /** The token of the request, 0 for none. */
  token_id: number
  /** The requested model; empty if it was not recorded. */
  model: string
  channel_id: number
  /** The fingerprint of the channel's key. */
  key: string
  /** Epoch ms. */
  created_at: number
  /** The conversation and the answer, encrypted; null where the provider keeps them. */
  sealed: string | null
}

/** Maximum stored per user: number of responses, and their bytes as stored. */
export interface StoredResponseLimits {
  answers: number
  bytes: number
}

export interface KeptResponseStore {
  /** Stores new responses and leaves known ones unchanged. Deletes a user's oldest responses beyond the limits. */
  keep(responses: readonly StoredResponseRow[], limits?: StoredResponseLimits): Promise<void>
  find(idHash: string): Promise<StoredResponseRow | null>
  remove(idHash: string): Promise<void>
  removeOfUser(userId: number): Promise<void>
  /** Removes what is older, in epoch ms: what providers keep, and what Weir does. */
  forget(before: { provider: number; own: number }): Promise<void>
}
