// Unrequested notices to the super administrator: a row in their log, a line in the process log, and a message by their
// chosen channel.
import { fail, fillTemplate, words } from '../errors.ts'
import { getUserLanguage } from '../users/user-language.ts'
import { LOG_ROW_TYPE } from '../calls/log-entry.ts'
import { buildEventLog } from '../logs/log.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Storage } from '../ports/storage.ts'
import { findNoticePlace, pickUserText, type DeliverMessage, type BilingualText } from './deliver.ts'
import type { HandlerContext } from '../auth/caller.ts'
import type { CountMail } from '../limits/mails.ts'
import type { Settings } from '../settings/index.ts'
import type { User } from '../users/user.ts'
import type { DeadLetter } from '../quota/dead-letters.ts'

/** `kind` groups notices of one sort; the text is plain and names what happened to what. Logs are in English. */
export interface UserNotice {
  kind: 'channel_disabled' | 'channel_enabled' | 'channel_test' | 'charge_refused'
  text: BilingualText
}

/** Sends a notice. Never rejects, since a failed notice must not stop the operation. */
export type SendUserNotice = (notice: UserNotice) => Promise<void>

interface UserNoticePorts {
  storage: Storage
  clock: Clock
  logger: Logger
  deliver: DeliverMessage
}

const TITLES: Record<UserNotice['kind'], BilingualText> = {
  channel_disabled: words('A channel was disabled'),
  channel_enabled: words('A channel was enabled'),
  channel_test: words('Channels were tested'),
  charge_refused: words('A charge is not booked'),
}
/** Maximum number of messages of a kind per period; the log has all notices. */
const MOST = 2
const WITHIN_SECONDS = 600

export function createUserNotifier({ storage, clock, logger, deliver }: UserNoticePorts): SendUserNotice {
  async function send({ kind, text }: UserNotice): Promise<void> {
    const root = await storage.users.findRoot()
    if (!root || !findNoticePlace(root)) return
    if ((await storage.counter.add(`notice:${kind}`, WITHIN_SECONDS)).count > MOST) return
    const content = pickUserText(text, root)
    await deliver(root, { type: kind, title: pickUserText(TITLES[kind], root), content, values: [content] })
  }

  async function write({ kind, text }: UserNotice): Promise<void> {
    const root = await storage.users.findRoot()
    if (!root) return
    const row = buildEventLog(root, LOG_ROW_TYPE.system, seconds(clock), text[getUserLanguage(root, 'en')])
    await storage.logs.insert([{ ...row, other: JSON.stringify({ notice: kind }) }])
  }
  return async (notice) => {
    logger.warn(notice.text.en, { notice: notice.kind })
    await write(notice).catch((error: unknown) => logger.error('a notice was not written', { error: String(error) }))
    // Sent in the background, since a mail server may be slow.
    void send(notice).catch((error: unknown) => logger.warn('a notice was not sent', { error: String(error) }))
  }
}

// A test of where a user is warned, for them to see that it arrives.

interface TestNoticePorts {
  deliver: DeliverMessage
  countMail: CountMail
  settings(): Settings
}

/** Sends it the way the user has saved. @throws GatewayError notify.nowhere, notify.refused, mail.*, web.*, limit.requests */
export async function sendTestNotice(
  { deliver, countMail, settings }: TestNoticePorts,
  user: User,
  context: HandlerContext,
): Promise<void> {
  const place = findNoticePlace(user) ?? fail('notify.nowhere')
  if ('mail' in place) await countMail(place.mail, context)
  const system = settings().SystemName
  const title = pickUserText(fillTemplate(words('Test of {system}'), { system }), user)
  const content = pickUserText(
    fillTemplate(words('This is a test: warnings of {system} about your balance reach you here.'), { system }),
    user,
  )
  await deliver(user, { type: 'test', title, content, values: [] })
}

// The notice to the super administrator of a charge that was not booked.

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
