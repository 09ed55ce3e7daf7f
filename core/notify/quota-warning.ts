// Warns users whose balance, or that of a team of theirs, has fallen below what they, or the operator, set. At most once in
// two hours each.
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { quotaText } from '../pricing/display.ts'
import type { Settings } from '../settings/index.ts'
import { USER_STATUS, userSetting } from '../users/user.ts'
import { placeOf, spokenText, type Deliver, type Told } from './deliver.ts'
import type { Charged, WarningStore } from './store.ts'

interface Ports {
  storage: { warnings: WarningStore }
  clock: Clock
  logger: Logger
  deliver: Deliver
  settings(): Settings
}

const PAUSE_SECONDS = 2 * 3600

/**
 * Looks at who was charged since it last looked, behind the calls: a warning never delays one. What was charged while
 * no process ran is not looked at.
 */
export function createQuotaWarnings({ storage, clock, logger, deliver, settings }: Ports): () => Promise<void> {
  let seen: number | undefined

  async function warn(charged: Charged): Promise<void> {
    const { user, team } = charged
    const { quota_warning_threshold } = userSetting(user)
    const threshold = quota_warning_threshold ?? settings().QuotaRemindThreshold
    const { quota } = team ?? user
    if (quota >= threshold || user.status !== USER_STATUS.enabled || !placeOf(user)) return
    // Whichever process writes first tells; a restart forgets nothing.
    if (!(await storage.warnings.claim(charged, seconds(clock), PAUSE_SECONDS))) return
    await deliver(user, quotaWarning(charged, settings())).catch((error: unknown) =>
      logger.warn('a quota warning was not delivered', { user: user.id, team: team?.id, error: String(error) }),
    )
  }
  return async () => {
    seen ??= await storage.warnings.lastEntry()
    const { last, charged } = await storage.warnings.charged(seen)
    for (const one of charged) await warn(one)
    seen = last
  }
}

/** The balance is the one after the charge. */
export function quotaWarning({ user, team }: Charged, settings: Settings): Told {
  const display = { quota_per_unit: settings.QuotaPerUnit, display_in_currency: settings.DisplayInCurrencyEnabled }
  const left = quotaText((team ?? user).quota, display, 6)
  const link = `${settings.ServerAddress}/${team ? 'teams' : 'topup'}`
  const spoken = team
    ? { en: `The quota of your team ${team.name} is running out`, zh: `您的团队 ${team.name} 的额度即将用尽` }
    : { en: 'Your quota is running out', zh: '您的额度即将用尽' }
  const title = spokenText(spoken, user)
  const content = spokenText(
    {
      en: `${spoken.en}: ${left} left. To go on, please top up: ${link}`,
      zh: `${spoken.zh}：剩余额度 ${left}，为了不影响使用，请及时充值：${link}`,
    },
    user,
  )
  return { type: 'quota_exceed', title, content, values: [title, left, link, link], link }
}
