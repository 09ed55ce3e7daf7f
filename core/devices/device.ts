// Signing in without a browser (RFC 8628): a program requests an access token, shows a short code, and waits until a
// user who is signed in to the console grants or denies it.
import { z } from 'zod'
import { ACCESS_TOKEN_SCOPES } from '../contract/endpoint.ts'
import type { Secrets } from '../ports/secrets.ts'

/** `allowed`: its access token is made, and waits for the program to fetch it. */
export const DEVICE_STATES = ['waiting', 'allowed', 'denied'] as const

/** The request of a program. Times in epoch seconds. */
export const DeviceRequest = z.object({
  id: z.number(),
  /** The program's name for itself, which is unverified. */
  name: z.string(),
  scope: z.enum(ACCESS_TOKEN_SCOPES),
  /** Address of the program. */
  ip: z.string(),
  created_time: z.number(),
  /** Time at which the request and its token can no longer be answered or fetched. */
  expires_time: z.number(),
  /** When the access token is to end. */
  expired_time: z.number(),
  state: z.enum(DEVICE_STATES),
  /** The access token of an allowed one. */
  token_id: z.number().nullable(),
  /** Seconds that have to pass between two questions of the program. */
  interval: z.number(),
  /** When it asked last, in epoch milliseconds. */
  polled_ms: z.number(),
})
export type DeviceRequest = z.infer<typeof DeviceRequest>

/** Seconds until an unanswered request expires. */
export const ANSWER_TIMEOUT_SECONDS = 600
export const POLL_INTERVAL_SECONDS = 3
/** Seconds that a too frequent poll adds to the interval. */
export const POLL_SLOWDOWN_SECONDS = 5
const DAY = 86_400
/** Lifetime of an access token in seconds: the default, and the maximum. */
export const TOKEN_LIFETIME_SECONDS = { usual: 90 * DAY, most: 366 * DAY }

/** No vowels, so that no words come about; nothing that looks like a digit. */
const LETTERS = 'BCDFGHJKLMNPQRST'
const CODE_LENGTH = 8

/** The short code of a chance text: one of four thousand million. */
export const buildUserCode = ({ digest }: Pick<Secrets, 'digest'>, chance: string): string =>
  Array.from(digest(chance).slice(0, CODE_LENGTH), (digit) => LETTERS[Number.parseInt(digit, 16)]).join('')

/** Formats a code for people: `BCDF-GHJK`. */
export const formatDeviceCode = (code: string): string =>
  `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`

/** Returns the stored form of a typed code. */
export const normalizeTypedCode = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase()
