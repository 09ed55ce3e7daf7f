export interface GroupUse {
  group: string
  users: number
  /** Tokens that name it themselves. */
  tokens: number
  channels: number
}

export interface GroupUseStore {
  /** Returns the use of every group in use, declared or not. */
  all(): Promise<GroupUse[]>
}
