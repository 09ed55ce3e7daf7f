// A test of where a user is warned, for them to see that it arrives.
import type { HandlerContext } from '../auth/caller.ts'
import { fail, fillTemplate, words } from '../errors.ts'
import type { CountMail } from '../limits/mails.ts'
import type { Settings } from '../settings/index.ts'
import type { User } from '../users/user.ts'
import { findNoticePlace, pickUserText, type DeliverMessage } from './deliver.ts'

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
