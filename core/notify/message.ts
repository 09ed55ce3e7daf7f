// The mails we write, in the language of the person who gets them.
import { escapeHtml } from '../contract/html.ts'
import type { Language } from '../errors.ts'
import type { MailMessage } from './email.ts'

interface Occasion {
  to: string
  language: Language
  /** The site's name. */
  system: string
  minutes: number
}

/** A code that proves that an address is its reader's. */
export function verificationMail({ to, language, system, minutes, code }: Occasion & { code: string }): MailMessage {
  return language === 'zh'
    ? buildMail(to, `${system} 邮箱验证`, [
        `您好，您正在验证 ${system} 的邮箱。`,
        `验证码：`,
        { strong: code },
        `${minutes} 分钟内有效。如非本人操作，请忽略此邮件。`,
      ])
    : buildMail(to, `${system} email verification`, [
        `Hello, somebody (you, we hope) is confirming this address at ${system}.`,
        'Your code:',
        { strong: code },
        `It is good for ${minutes} minutes. If this was not you, ignore this mail.`,
      ])
}

/** Builds the message with which an operator tests the mail settings. */
export function testMail({ to, language, system }: Omit<Occasion, 'minutes'>): MailMessage {
  return language === 'zh'
    ? buildMail(to, `${system} 测试邮件`, [`您好，这是 ${system} 的测试邮件：邮件设置可用。`])
    : buildMail(to, `${system} test mail`, [`Hello, this is a test mail of ${system}: its mail settings work.`])
}

/** Builds the message sent instead of a code if the address already has an account. Only its reader learns that. */
export function takenMail({ to, language, system }: Omit<Occasion, 'minutes'>): MailMessage {
  return language === 'zh'
    ? buildMail(to, `${system} 邮箱验证`, [
        `您好，有人想在 ${system} 使用此邮箱，但它已属于一个账户。`,
        `如果是您本人，请直接登录，或重置密码。否则请忽略此邮件。`,
      ])
    : buildMail(to, `${system} email verification`, [
        `Hello, somebody (you, we hope) wants to use this address at ${system}. It belongs to an account already.`,
        'Sign in to it, or ask for a new password. If this was not you, ignore this mail.',
      ])
}

/** A link that lets its reader set a new password. */
export function resetMail({ to, language, system, minutes, link }: Occasion & { link: string }): MailMessage {
  return language === 'zh'
    ? buildMail(to, `${system} 密码重置`, [
        `您好，您正在重置 ${system} 的密码。请打开此链接：`,
        { link },
        `${minutes} 分钟内有效。如非本人操作，请忽略此邮件。`,
      ])
    : buildMail(to, `${system} password reset`, [
        `Hello, somebody (you, we hope) asked to reset a password at ${system}. Open this link:`,
        { link },
        `It is good for ${minutes} minutes. If this was not you, ignore this mail.`,
      ])
}

type Part = string | { strong: string } | { link: string }

/** The same words as HTML and as plain text. */
export function buildMail(to: string, subject: string, parts: Part[]): MailMessage {
  const html = parts.map((part) => `<p>${toHtml(part)}</p>`).join('\n')
  const text = parts.map((part) => (typeof part === 'string' ? part : 'strong' in part ? part.strong : part.link))
  return { to, subject: subject.replace(/[\r\n]+/g, ' '), html, text: text.join('\n\n') }
}

function toHtml(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part)
  if ('strong' in part) return `<strong>${escapeHtml(part.strong)}</strong>`
  return `<a href="${escapeHtml(part.link)}">${escapeHtml(part.link)}</a>`
}
