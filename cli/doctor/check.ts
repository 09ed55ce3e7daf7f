// One finding of a diagnosis.
import type { Words } from '../../core/errors.ts'
import type { Said } from '../language.ts'
import { words } from '../texts.ts'

/** The areas that are checked. */
export const CHECKS = {
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

export type Check = keyof typeof CHECKS

export interface Finding {
  check: Check
  /** Name of the checked object, if there are several. */
  about?: string
  state: 'ok' | 'warn' | 'fail'
  found: Said
  /** Remedy. */
  fix?: Said
  /** Action of `--fix`; it never removes anything that is not recreated automatically. */
  repair?: Repair
  /** true if it was repaired, false if the repair failed, undefined if none was tried. */
  fixed?: boolean
}

export interface Repair {
  /** Completes "Shall I …?" */
  what: Said
  run(): Promise<void>
}

type More = Pick<Finding, 'about' | 'repair'>

export const ok = (check: Check, found: Said, more: More = {}): Finding => ({ check, state: 'ok', found, ...more })
export const warn = (check: Check, found: Said, fix: Said, more: More = {}): Finding => ({
  check,
  state: 'warn',
  found,
  fix,
  ...more,
})
/** `fix` is left out if `found` already names the remedy. */
export const failed = (check: Check, found: Said, fix?: Said, more: More = {}): Finding => ({
  check,
  state: 'fail',
  found,
  ...(fix ? { fix } : {}),
  ...more,
})

/** Returns whether two findings are about the same check and object. */
export const isSame = (one: Finding, other: Finding): boolean => one.check === other.check && one.about === other.about
