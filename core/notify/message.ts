// The mails we write, in the language of the person who gets them.
import { escapeHtmlText } from '../contract/html.ts'
import { fillTemplate, words, type Language } from '../errors.ts'
import type { MailMessage } from './email.ts'

interface Occasion {
  to: string
  language: Language
  /** The site's name. */
  system: string
  minutes: number
}

const GREETING_CODE = words('Hello, this address is being confirmed at {system}.')
const GREETING_TEST = words('Hello, this is a test mail of {system}: its mail settings work.')
const GREETING_TAKEN = words('Hello, this address was entered at {system}. It already belongs to an account.')
const GREETING_RESET = words('Hello, a password reset was requested at {system}. If it was you, open this link:')
const GREETING_INVITED = words(
  'Hello, {name} has made an account for you at {system}. Open this link to set your password:',
)
const INVITATION_VALIDITY = words('It is good for {days} days. If you do not want the account, ignore this mail.')
const SIGN_IN = words('Sign in to it, or ask for a new password. If this was not you, ignore this mail.')
const VALIDITY = words('It is good for {minutes} minutes. If this was not you, ignore this mail.')

/** A code that proves that an address is its reader's. */
export function buildVerificationMail({
  to,
  language,
  system,
  minutes,
  code,
}: Occasion & { code: string }): MailMessage {
  return buildMail(to, fillTemplate(words('{system} email verification'), { system })[language], [
    fillTemplate(GREETING_CODE, { system })[language],
    words('Your code:')[language],
    { strong: code },
    fillTemplate(VALIDITY, { minutes })[language],
  ])
}

/** Builds the message with which an operator tests the mail settings. */
export function testMail({ to, language, system }: Omit<Occasion, 'minutes'>): MailMessage {
  return buildMail(to, fillTemplate(words('{system} test mail'), { system })[language], [
    fillTemplate(GREETING_TEST, { system })[language],
  ])
}

/** Builds the message sent instead of a code if the address already has an account. Only its reader learns that. */
export function buildAddressTakenMail({ to, language, system }: Omit<Occasion, 'minutes'>): MailMessage {
  return buildMail(to, fillTemplate(words('{system} email verification'), { system })[language], [
    fillTemplate(GREETING_TAKEN, { system })[language],
    SIGN_IN[language],
  ])
}

/** A link that lets its reader set a new password. */
export function resetMail({ to, language, system, minutes, link }: Occasion & { link: string }): MailMessage {
  return buildMail(to, fillTemplate(words('{system} password reset'), { system })[language], [
    fillTemplate(GREETING_RESET, { system })[language],
    { link },
    fillTemplate(VALIDITY, { minutes })[language],
  ])
}

/** A link by which the owner of a new account sets the first password. `name` is the administrator's. */
export function buildInvitationMail({
  to,
  language,
  system,
  days,
  name,
  link,
}: Omit<Occasion, 'minutes'> & { days: number; name: string; link: string }): MailMessage {
  return buildMail(to, fillTemplate(words('Invitation to {system}'), { system })[language], [
    fillTemplate(GREETING_INVITED, { name, system })[language],
    { link },
    fillTemplate(INVITATION_VALIDITY, { days })[language],
  ])
}

type TextPart = string | { strong: string } | { link: string }

/** The same words as HTML and as plain text. */
export function buildMail(to: string, subject: string, parts: TextPart[]): MailMessage {
  const html = parts.map((part) => `<p>${toHtml(part)}</p>`).join('\n')
  const text = parts.map((part) => (typeof part === 'string' ? part : 'strong' in part ? part.strong : part.link))
  return { to, subject: subject.replace(/[\r\n]+/g, ' '), html, text: text.join('\n\n') }
}

function toHtml(part: TextPart): string {
  if (typeof part === 'string') return escapeHtmlText(part)
  if ('strong' in part) return `<strong>${escapeHtmlText(part.strong)}</strong>`
  return `<a href="${escapeHtmlText(part.link)}">${escapeHtmlText(part.link)}</a>`
}
