// One finding of a diagnosis.
import type { Words } from '../../core/errors.ts'
import type { BilingualText } from '../language.ts'
import { words } from '../texts.ts'

/** The areas that are checked. */
export const DOCTOR_CHECKS = {
  node: words('Node'),
  'data folder': words('data folder'),
  'private files': words('private files'),
  'disk space': words('disk space'),
  proxy: words('proxy'),
  socket: words('socket'),
  server: words('server'),
  port: words('port'),
  context: words('context'),
  database: words('database'),
  secret: words('secret'),
  gateway: words('gateway'),
  'set-up': words('set-up'),
  channels: words('channels'),
  channel: words('channel'),
  model: words('model'),
  setting: words('setting'),
  usage: words('usage'),
  ledger: words('ledger'),
} as const satisfies Record<string, Words>

export type Check = keyof typeof DOCTOR_CHECKS

export interface DoctorFinding {
  check: Check
  /** Name of the checked object, if there are several. */
  about?: string
  state: 'ok' | 'warn' | 'fail'
  found: BilingualText
  /** Remedy. */
  fix?: BilingualText
  /** Action of `--fix`; it never removes anything that is not recreated automatically. */
  repair?: Repair
  /** true if it was repaired, false if the repair failed, undefined if none was tried. */
  fixed?: boolean
}

export interface Repair {
  /** Completes "Shall I …?" */
  what: BilingualText
  run(): Promise<void>
}

type FindingDetails = Pick<DoctorFinding, 'about' | 'repair'>

export const buildGoodFinding = (check: Check, found: BilingualText, more: FindingDetails = {}): DoctorFinding => ({
  check,
  state: 'ok',
  found,
  ...more,
})
export const buildWarningFinding = (
  check: Check,
  found: BilingualText,
  fix: BilingualText,
  more: FindingDetails = {},
): DoctorFinding => ({
  check,
  state: 'warn',
  found,
  fix,
  ...more,
})
/** `fix` is left out if `found` already names the remedy. */
export const buildFailedFinding = (
  check: Check,
  found: BilingualText,
  fix?: BilingualText,
  more: FindingDetails = {},
): DoctorFinding => ({
  check,
  state: 'fail',
  found,
  ...(fix ? { fix } : {}),
  ...more,
})

/** Returns whether two findings are about the same check and object. */
export const isSameFinding = (one: DoctorFinding, other: DoctorFinding): boolean =>
  one.check === other.check && one.about === other.about
