import type { Page, Slice } from '../contract/page.ts'
import type { Edit } from '../contract/version.ts'
import type { Redemption } from './redemption.ts'

export type NewRedemption = Pick<Redemption, 'user_id' | 'name' | 'key' | 'quota' | 'created_time'>

/** Keys are encrypted at rest and found by keyed hash. Deleted codes are never returned. */
export interface RedemptionStore {
  /** All of them or none; in the order in which they were given. */
  insert(codes: NewRedemption[]): Promise<Redemption[]>
  find(id: number): Promise<Redemption | null>
  findByKey(key: string): Promise<Redemption | null>
  /** Newest first; `keyword`: the id, or how the name begins. */
  list(keyword: string, slice: Slice): Promise<Page<Redemption>>
  /**
   * Updates a code in one of these states; false if it is in another. @throws GatewayError edit.conflict if the stored version is not the
   * one that was read
   */
  updateUnused(
    id: number,
    patch: Partial<Pick<Redemption, 'name' | 'quota' | 'status'>>,
    edit: Edit & { from: readonly number[] },
  ): Promise<boolean>
  /** Marks an unused code with this value as used; false if it is not. */
  use(id: number, by: { quota: number; user_id: number; time: number }): Promise<boolean>
  /** Marks a code as used whose credit is already booked. */
  markUsed(id: number, by: { user_id: number; time: number }): Promise<void>
  /** False where it was deleted before. */
  delete(id: number): Promise<boolean>
}
