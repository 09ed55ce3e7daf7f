// A single-use code for quota. Its value moves through the ledger; its status is for display.
import { z } from 'zod'
import { UnreadableFields } from '../contract/filter.ts'
import { declareShapeFields } from '../contract/field.ts'
import { declareListing } from '../contract/page.ts'
import { RowVersion } from '../contract/version.ts'
import { redemptionFields } from './redemption-fields.data.ts'

export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const

/** Characters of a code. */
export const REDEMPTION_CODE_LENGTH = 32
export const MAX_NEW_CODES = 100

/** How codes can be sorted. */
export const redemptionListOrder = declareListing({
  name: 'redemptions',
  columns: ['id', 'name', 'status', 'quota', 'created_time', 'redeemed_time', 'expired_time'],
  first: '-id',
  sums: ['quota'],
})

export const RedemptionCode = z.object(
  declareShapeFields(redemptionFields, {
    id: z.number(),
    /** The user who created it. */
    user_id: z.number(),
    name: z.string(),
    key: z.string(),
    status: z.number(),
    /** Quota units. */
    quota: z.number(),
    created_time: z.number(),
    /** Epoch seconds; 0 while unused. */
    redeemed_time: z.number(),
    /** The last second in which it can be redeemed, in epoch seconds; 0 for no end. */
    expired_time: z.number(),
    remark: z.string(),
    /** 0 while unused. */
    used_user_id: z.number(),
    version: RowVersion,
    unreadable: UnreadableFields,
  }),
)
z.globalRegistry.add(RedemptionCode, { id: 'Redemption' })
export type RedemptionCode = z.infer<typeof RedemptionCode>

/** Returns true if the time to redeem the code is over. */
export const isCodeExpired = ({ expired_time }: Pick<RedemptionCode, 'expired_time'>, nowSeconds: number): boolean =>
  expired_time !== 0 && expired_time < nowSeconds

/** Returns the reference of the credit of a code, which is unique for all time. */
export const toCreditReference = (id: number): string => `redemption ${id}`
