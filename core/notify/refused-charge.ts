// The notice to the super administrator of a charge that was not booked.
import { fillTemplate, words } from '../errors.ts'
import type { DeadLetter } from '../quota/dead-letters.ts'
import type { UserNotice } from './notice.ts'

const SAID = words(
  'A charge of {units} quota on account {account} is not booked, because storage refused it: {why}. See `weir ledger pending`.',
)

export const buildRefusedChargeNotice = ({
  account_id: account,
  quota: units,
  reason: why,
}: DeadLetter): UserNotice => ({
  kind: 'charge_refused',
  text: fillTemplate(SAID, { account, units, why }),
})
