// Twelve things that people do most, each by mouse, by keyboard alone, and on a phone.
import { addChannel, disableProvider } from './channels.ts'
import { limitKey, revokeKey } from './keys.ts'
import { explainBill, explainFailure } from './log.ts'
import { tryAgainst } from './models.ts'
import { raisePrice, topUpByCode } from './money.ts'
import { findQuickest, readByTeam } from './reports.ts'
import { sendTestMail } from './settings.ts'
import type { AnyTask } from './task.ts'

export const TASKS: readonly AnyTask[] = [
  ...[addChannel, explainFailure, explainBill, limitKey, disableProvider, revokeKey],
  ...[raisePrice, topUpByCode, sendTestMail, findQuickest, readByTeam, tryAgainst],
]
