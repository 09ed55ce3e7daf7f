// Notifies all recipients of a rule, each once: successful deliveries are recorded, and failed ones are retried.
import type { ChannelIndex } from '../channels/channel-index.ts'
import { fail, GatewayError } from '../errors.ts'
import type { DeliverMessage, DeliverTo, NoticeMessage, NoticeDestination } from '../notify/deliver.ts'
import type { User } from '../users/user.ts'
import type { AlertInProgress, RuleWithSecret } from './alert.ts'
import { type AlertTurn, buildAlertMessage } from './message.ts'
import { parseNameList } from '../channels/channel.ts'

/** The recorded name of a notified recipient, one per line. */
type Name = string

export interface DeliveryResult {
  told_to: Name[]
  /** Error of the failed deliveries; empty if there was none. */
  failure: string
}

/** `done` are the recipients already notified. Never rejects. */
export type NotifyRecipients = (
  rule: RuleWithSecret,
  turn: AlertTurn,
  alert: AlertInProgress | null,
  root: User | null,
  done?: readonly Name[],
) => Promise<DeliveryResult>

interface AlertRecipientPorts {
  deliver: DeliverMessage
  deliverTo: DeliverTo
  index: Pick<ChannelIndex, 'find'>
}

const ROOT: Name = 'root'

export function getRecipientNames({ root, mails, webhook_url }: RuleWithSecret): Name[] {
  return [...(root ? [ROOT] : []), ...parseNameList(mails), ...(webhook_url === '' ? [] : [webhook_url])]
}

export function createAlertNotifier({ deliver, deliverTo, index }: AlertRecipientPorts): NotifyRecipients {
  return async (rule, turn, alert, root, done = []) => {
    const message = buildAlertMessage(turn, rule, alert, describeSubject(index, rule, alert?.subject ?? ''))
    const told_to = [...done]
    const failures: string[] = []
    for (const name of getRecipientNames(rule).filter((name) => !done.includes(name))) {
      try {
        await send(name, rule, message, root)
        told_to.push(name)
      } catch (error) {
        // An address of a webhook may have a key in it.
        const whom = name === rule.webhook_url ? new URL(name).host : name
        failures.push(`${whom}: ${error instanceof GatewayError ? error.message : 'it could not be sent'}`)
      }
    }
    return { told_to, failure: failures.join('; ') }
  }

  async function send(name: Name, rule: RuleWithSecret, message: NoticeMessage, root: User | null): Promise<void> {
    if (name === ROOT) {
      if (!root || !(await deliver(root, message))) fail('notify.nowhere')
      return
    }
    const place: NoticeDestination =
      name === rule.webhook_url
        ? { webhook: name, secret: rule.webhook_secret, format: rule.webhook_format }
        : { mail: name }
    await deliverTo(place, message)
  }
}

/** A channel by its name; everything else names itself. */
export function describeSubject(
  index: Pick<ChannelIndex, 'find'>,
  { kind }: Pick<RuleWithSecret, 'kind'>,
  subject: string,
): string {
  if (kind !== 'provider_balance') return subject
  const name = index.find(Number(subject))?.name
  return name ? `${name} (#${subject})` : `#${subject}`
}
