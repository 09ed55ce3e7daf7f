/** What was used of a model by everybody, and what was charged for it. */
export interface ModelUse {
  model: string
  users: number
  calls: number
  /** Quota units. */
  charged: number
  /** Tokens; the cached ones are part of the prompt. */
  prompt: number
  cached: number
  output: number
}

export interface ModelUseStore {
  /** Of each model that was asked for since then (epoch seconds). */
  since(time: number): Promise<ModelUse[]>
}
