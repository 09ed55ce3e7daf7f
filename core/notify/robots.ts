// Messages in the formats of group robots: Feishu (Lark), DingTalk, WeCom, Slack and Discord, each by its vendor's
// documentation of incoming webhooks.
import { fail } from '../errors.ts'
import type { Secrets } from '../ports/secrets.ts'
import { parseJsonBody, type WebReply } from '../ports/web.ts'

/** `weir` is the signed JSON message that programs read. */
export const WEBHOOK_MESSAGE_FORMATS = ['weir', 'feishu', 'dingtalk', 'wecom', 'slack', 'discord'] as const
export type WebhookFormat = (typeof WEBHOOK_MESSAGE_FORMATS)[number]
export type RobotFormat = Exclude<WebhookFormat, 'weir'>

interface RobotMessage {
  title: string
  content: string
}

interface SignaturePorts {
  secrets: Pick<Secrets, 'hmac'>
  /** Epoch ms. */
  now: number
}

interface RobotTarget {
  url: string
  /** The robot's signing secret; empty for none. Only Feishu and DingTalk have one. */
  secret: string
}

interface RobotRequest {
  url: string
  body: string
}

/** Maximum length of a message: characters at Discord, bytes at WeCom. */
const DISCORD_LENGTH = 2000
const WECOM_BYTES = 2048

const ROBOTS: Record<
  RobotFormat,
  (message: RobotMessage, target: RobotTarget, ports: SignaturePorts) => { url: string; body: object }
> = {
  /** https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot */
  feishu({ title, content }, { url, secret }, { secrets, now }) {
    const timestamp = String(Math.floor(now / 1000))
    // The secret is part of the key, and the signed text is empty.
    const signed = secret === '' ? {} : { timestamp, sign: toBase64(secrets.hmac(`${timestamp}\n${secret}`, '')) }
    return { url, body: { ...signed, msg_type: 'text', content: { text: `${title}\n${content}` } } }
  },
  /** https://open.dingtalk.com/document/robots/customize-robot-security-settings */
  dingtalk({ title, content }, { url, secret }, { secrets, now }) {
    const address = new URL(url)
    if (secret !== '') {
      address.searchParams.set('timestamp', String(now))
      address.searchParams.set('sign', toBase64(secrets.hmac(secret, `${now}\n${secret}`)))
    }
    return { url: address.href, body: { msgtype: 'text', text: { content: `${title}\n${content}` } } }
  },
  /** https://developer.work.weixin.qq.com/document/path/91770 */
  wecom: ({ title, content }, { url }) => ({
    url,
    body: { msgtype: 'text', text: { content: cutBytes(`${title}\n${content}`, WECOM_BYTES) } },
  }),
  /** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
  slack: ({ title, content }, { url }) => ({
    url,
    body: { text: `*${escapeSlack(title)}*\n${escapeSlack(content)}` },
  }),
  /** https://docs.discord.com/developers/resources/webhook#execute-webhook */
  discord: ({ title, content }, { url }) => ({
    url,
    // Names of models and channels must not notify anybody.
    body: { content: `**${title}**\n${content}`.slice(0, DISCORD_LENGTH), allowed_mentions: { parse: [] } },
  }),
}

export function buildRobotRequest(
  format: RobotFormat,
  message: RobotMessage,
  target: RobotTarget,
  ports: SignaturePorts,
): RobotRequest {
  const { url, body } = ROBOTS[format](message, target, ports)
  return { url, body: JSON.stringify(body) }
}

const REASON_LENGTH = 200

/**
 * Feishu, DingTalk and WeCom report failures in the body of an answer of status 200.
 * @throws GatewayError notify.robot
 */
export function checkRobotReply(format: RobotFormat, reply: WebReply): void {
  if (format === 'slack' || format === 'discord') return
  const { code, StatusCode, errcode, msg, errmsg } = (parseJsonBody(reply) ?? {}) as Record<string, unknown>
  const status = format === 'feishu' ? (code ?? StatusCode) : errcode
  if (status === 0) return
  const reason = format === 'feishu' ? msg : errmsg
  fail('notify.robot', { status: String(status ?? '-'), reason: String(reason ?? '-').slice(0, REASON_LENGTH) })
}

const toBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Cuts a text to whole characters of at most so many bytes. */
function cutBytes(text: string, most: number): string {
  let [cut, bytes] = ['', 0]
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > most) break
    cut += character
  }
  return cut
}
