// A code that is worth quota, once. What it is worth moves through the ledger; its status tells people.
import { z } from 'zod'
import { Unreadable } from '../contract/amount.ts'
import { declareFields } from '../contract/field.ts'
import { namedSchemas } from '../contract/named-schemas.ts'
import { listing } from '../contract/page.ts'
import { Version } from '../contract/version.ts'
import { redemptionFields } from './redemption-fields.data.ts'

export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const

/** Characters of a code. */
export const CODE_LENGTH = 32
export const MAX_CODES = 100

/** How codes can be sorted. */
export const redemptionList = listing({
  name: 'redemptions',
  columns: ['id', 'name', 'status', 'quota', 'created_time', 'redeemed_time'],
  first: '-id',
  sums: ['quota'],
})

export const Redemption = z.object(
  declareFields(redemptionFields, {
    id: z.number(),
    /** Who made it. */
    user_id: z.number(),
    name: z.string(),
    key: z.string(),
    status: z.number(),
    /** Quota units. */
    quota: z.number(),
    created_time: z.number(),
    /** Epoch seconds; 0 while unused. */
    redeemed_time: z.number(),
    /** 0 while unused. */
    used_user_id: z.number(),
    version: Version,
    unreadable: Unreadable,
  }),
)
namedSchemas.add(Redemption, { id: 'Redemption' })
export type Redemption = z.infer<typeof Redemption>

/** What a credit of this code is booked under: there can be one in all time. */
export const redemptionReference = (id: number): string => `redemption ${id}`
