// Warns users whose balance has fallen below what they, or the operator, set. At most once in two hours each.
import { fillTemplate, words } from '../errors.ts'
import { getServerAddress } from '../auth/server-address.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { HostMachine } from '../ports/machine.ts'
import { formatQuotaText } from '../pricing/display.ts'
import type { Settings } from '../settings/index.ts'
import { USER_STATUS, parseUserSetting, type User } from '../users/user.ts'
import { findNoticePlace, pickUserText, type DeliverMessage, type NoticeMessage } from './deliver.ts'
import type { WarningStore } from './store.ts'

export interface QuotaWarningPorts {
  storage: { warnings: WarningStore }
  clock: Clock
  logger: Logger
  machine: Pick<HostMachine, 'address'>
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
    if (
      user.quota >= getWarningThreshold(user, settings()) ||
      user.status !== USER_STATUS.enabled ||
      !findNoticePlace(user)
    )
      return
    // The first process to claim it sends the warning; a restart loses nothing.
    if (!(await storage.warnings.claim(user.id, seconds(clock), PAUSE_SECONDS))) return
    await deliver(user, buildQuotaWarning(user, settings(), machine)).catch((error: unknown) =>
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
export const getWarningThreshold = (user: User, { QuotaRemindThreshold }: Settings): number =>
  parseUserSetting(user).quota_warning_threshold ?? QuotaRemindThreshold

/** The balance is the one after the charge. */
export function buildQuotaWarning(
  user: User,
  settings: Settings,
  machine: Pick<HostMachine, 'address'>,
): NoticeMessage {
  const display = { quota_per_unit: settings.QuotaPerUnit, display_in_currency: settings.DisplayInCurrencyEnabled }
  const left = formatQuotaText(user.quota, display, 6)
  const link = `${getServerAddress(settings, machine)}/topup`
  const title = pickUserText(words('Your quota is running out'), user)
  const content = pickUserText(
    fillTemplate(words('Your quota is running out: {left} left. To go on, please top up: {link}'), { left, link }),
    user,
  )
  return { type: 'quota_exceed', title, content, values: [title, left, link, link], link }
}
