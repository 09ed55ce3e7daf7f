// Sends a message to a user by their chosen channel: by mail, or signed to their webhook.
import { seconds, type Clock } from '../ports/clock.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { WebClient, WebReply } from '../ports/web.ts'
import { fail, type Language } from '../errors.ts'
import { parseUserSetting, type User } from '../users/user.ts'
import type { SendMail } from './email.ts'
import { buildMail } from './message.ts'
import { buildRobotRequest, checkRobotReply, type WebhookFormat } from './robots.ts'

/** The same in both languages. */
export type BilingualText = Record<Language, string>

/** Returns the text in the user's language; in both if the user has none. */
export function pickUserText(texts: BilingualText, user: User): string {
  const { language } = parseUserSetting(user)
  return language ? texts[language] : `${texts.en} · ${texts.zh}`
}

/** `type` names the sort for programs; `values` are the parts of the content that differ from case to case. */
export interface NoticeMessage {
  type: string
  title: string
  content: string
  values: string[]
  /** A link in the message. */
  link?: string
}

/**
 * Sends a message. Returns false if the user has no address for it.
 * @throws GatewayError mail.*, web.*, notify.refused
 */
export type DeliverMessage = (user: User, message: NoticeMessage) => Promise<boolean>

interface DeliverPorts {
  sendMail: SendMail
  web: WebClient
  secrets: Pick<Secrets, 'hmac' | 'decrypt'>
  clock: Clock
}

const TIMEOUT_MS = 5000

/** Returns the address of this user, or undefined. The webhook's secret is the stored one: encrypted. */
export function findNoticePlace(user: User): NoticeDestination | undefined {
  const { notify_type, webhook_url = '', webhook_secret = '', notification_email } = parseUserSetting(user)
  if (notify_type === 'webhook') {
    return webhook_url.startsWith('https://') ? { webhook: webhook_url, secret: webhook_secret } : undefined
  }
  const address = notification_email || user.email
  return address === '' ? undefined : { mail: address }
}

/** The address for messages; the webhook's secret is decrypted, empty for none. */
export type NoticeDestination = { webhook: string; secret: string; format?: WebhookFormat } | { mail: string }

/** @throws GatewayError mail.*, web.*, notify.refused, notify.robot */
export type DeliverTo = (place: NoticeDestination, message: NoticeMessage) => Promise<void>

export function createDeliverTo({ sendMail, web, secrets, clock }: DeliverPorts): DeliverTo {
  return async (place, message) => {
    if ('mail' in place) {
      const { title, content, link } = message
      return sendMail(buildMail(place.mail, title, link ? [content, { link }] : [content]))
    }
    const { type, title, content, values } = message
    const { webhook, secret, format = 'weir' } = place
    if (format !== 'weir') {
      const request = buildRobotRequest(format, message, { url: webhook, secret }, { secrets, now: clock.now() })
      return checkRobotReply(format, await post(request.url, request.body))
    }
    const body = JSON.stringify({ type, title, content, values, timestamp: seconds(clock) })
    // The signature proves who wrote it; the secret itself never travels.
    const signature: Record<string, string> = secret === '' ? {} : { 'x-webhook-signature': secrets.hmac(secret, body) }
    await post(webhook, body, signature)
  }

  /** @throws GatewayError web.*, notify.refused */
  async function post(url: string, body: string, more: Record<string, string> = {}): Promise<WebReply> {
    const headers = { 'content-type': 'application/json', ...more }
    const posted = { method: 'POST', url, headers, body, timeout_ms: TIMEOUT_MS } as const
    const reply = await web.send({ ...posted, by_worker: true })
    if (reply.status < 200 || reply.status > 299) fail('notify.refused', { status: reply.status })
    return reply
  }
}

export function createMessageDelivery(ports: DeliverPorts): DeliverMessage {
  const deliverTo = createDeliverTo(ports)
  return async (user, message) => {
    const place = findNoticePlace(user)
    if (!place) return false
    const { secrets } = ports
    const isSecret = 'secret' in place && place.secret !== ''
    const opened = isSecret ? { ...place, secret: secrets.decrypt(place.secret, ['users.setting', user.id]) } : place
    await deliverTo(opened, message)
    return true
  }
}
