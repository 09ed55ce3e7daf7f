import type { RowPage, ListSlice } from '../contract/page.ts'
import type { PersonalEdit } from '../contract/version.ts'
import type { RedemptionCode } from './redemption.ts'

export type NewRedemption = Pick<RedemptionCode, 'user_id' | 'name' | 'key' | 'quota' | 'created_time'> &
  Partial<Pick<RedemptionCode, 'expired_time' | 'remark'>>
export type RedemptionPatch = Partial<Pick<RedemptionCode, 'name' | 'quota' | 'status' | 'expired_time' | 'remark'>>

/** Keys are encrypted at rest and found by keyed hash. Deleted codes are never returned. */
export interface RedemptionStore {
  /** Inserts all codes or none, and returns them in the given order. */
  insert(codes: NewRedemption[]): Promise<RedemptionCode[]>
  find(id: number): Promise<RedemptionCode | null>
  findByKey(key: string): Promise<RedemptionCode | null>
  /** Newest first; `keyword`: the id, how the name begins, or a part of the remark. */
  list(keyword: string, slice: ListSlice): Promise<RowPage<RedemptionCode>>
  /**
   * Updates a code; false if it is in none of these states. @throws GatewayError edit.conflict if the stored version is
   * not the one that was read
   */
  update(
    id: number,
    patch: RedemptionPatch,
    edit: PersonalEdit & { from: readonly number[] | undefined },
  ): Promise<boolean>
  /** Marks an unused code with this value as used; false if it is not, or expired before `time` (epoch seconds). */
  use(id: number, by: { quota: number; user_id: number; time: number }): Promise<boolean>
  /** Marks a code as used whose credit is already booked. */
  markUsed(id: number, by: { user_id: number; time: number }): Promise<void>
  /** False where it was deleted before. */
  delete(id: number): Promise<boolean>
}
