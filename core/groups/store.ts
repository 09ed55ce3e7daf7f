/** The use of a group. */
export interface GroupUse {
  group: string
  users: number
  /** Tokens that name it themselves. */
  tokens: number
  channels: number
}

export interface GroupUseStore {
  /** Of every group that anybody uses, whether it is declared or not. */
  all(): Promise<GroupUse[]>
}
