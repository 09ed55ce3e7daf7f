// Validates email addresses.
import { z } from 'zod'
import { fail } from '../errors.ts'
import type { Settings } from '../settings/index.ts'

/** An email address of at most the length that is stored. */
export const EmailAddress = z.email().max(50)

/** @throws GatewayError email.invalid, email.domain, email.alias */
export function checkEmail(email: string, settings: Settings): void {
  if (!EmailAddress.safeParse(email).success) fail('email.invalid')
  const at = email.lastIndexOf('@')
  const domains = settings.EmailDomainWhitelist.split(',').map((domain) => domain.trim().toLowerCase())
  if (settings.EmailDomainRestrictionEnabled && !domains.includes(email.slice(at + 1).toLowerCase())) {
    fail('email.domain')
  }
  if (settings.EmailAliasRestrictionEnabled && /[+.]/.test(email.slice(0, at))) fail('email.alias')
}

/** Returns the normalized address, for comparisons. */
export const toEmailKey = (email: string) => email.trim().toLowerCase()
