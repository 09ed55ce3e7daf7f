// Warns users whose balance has fallen below what they, or the operator, set. At most once in two hours each.
import { fillTemplate, words } from '../errors.ts'
import { serverAddress } from '../auth/server-address.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Machine } from '../ports/machine.ts'
import { quotaText } from '../pricing/display.ts'
import type { Settings } from '../settings/index.ts'
import { USER_STATUS, userSetting, type User } from '../users/user.ts'
import { findNoticePlace, spokenText, type DeliverMessage, type NoticeMessage } from './deliver.ts'
import type { WarningStore } from './store.ts'

export interface QuotaWarningPorts {
  storage: { warnings: WarningStore }
  clock: Clock
  logger: Logger
  machine: Pick<Machine, 'address'>
  deliver: DeliverMessage
  settings(): Settings
}

const PAUSE_SECONDS = 2 * 3600

/**
 * Checks the users charged since the last check, after the calls, so that a warning never delays one. Charges made
 * while no process ran are not checked.
 */
export function createQuotaWarnings({
  storage,
  clock,
  logger,
  machine,
  deliver,
  settings,
}: QuotaWarningPorts): () => Promise<void> {
  let seen: number | undefined

  async function warn(user: User): Promise<void> {
    if (user.quota >= warnedBelow(user, settings()) || user.status !== USER_STATUS.enabled || !findNoticePlace(user))
      return
    // The first process to claim it sends the warning; a restart loses nothing.
    if (!(await storage.warnings.claim(user.id, seconds(clock), PAUSE_SECONDS))) return
    await deliver(user, quotaWarning(user, settings(), machine)).catch((error: unknown) =>
      logger.warn('a quota warning was not delivered', { user: user.id, error: String(error) }),
    )
  }
  return async () => {
    seen ??= await storage.warnings.lastEntry()
    const { last, users } = await storage.warnings.charged(seen)
    for (const user of users) await warn(user)
    seen = last
  }
}

/** Returns the threshold in quota units: the user's, otherwise the operator's. */
export const warnedBelow = (user: User, { QuotaRemindThreshold }: Settings): number =>
  userSetting(user).quota_warning_threshold ?? QuotaRemindThreshold

/** The balance is the one after the charge. */
export function quotaWarning(user: User, settings: Settings, machine: Pick<Machine, 'address'>): NoticeMessage {
  const display = { quota_per_unit: settings.QuotaPerUnit, display_in_currency: settings.DisplayInCurrencyEnabled }
  const left = quotaText(user.quota, display, 6)
  const link = `${serverAddress(settings, machine)}/topup`
  const title = spokenText(words('Your quota is running out'), user)
  const content = spokenText(
    fillTemplate(words('Your quota is running out: {left} left. To go on, please top up: {link}'), { left, link }),
    user,
  )
  return { type: 'quota_exceed', title, content, values: [title, left, link, link], link }
}
