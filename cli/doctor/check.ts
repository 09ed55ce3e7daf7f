// One finding of a diagnosis.
import { words, type Words } from '../../core/errors.ts'
import type { Said } from '../language.ts'

/** The areas that are checked. */
export const CHECKS = {
  node: words('Node', 'Node'),
  'data folder': words('data folder', '数据目录'),
  'private files': words('private files', '文件权限'),
  'disk space': words('disk space', '磁盘空间'),
  proxy: words('proxy', '代理'),
  socket: words('socket', '套接字'),
  server: words('server', '服务器'),
  port: words('port', '端口'),
  context: words('context', '上下文'),
  database: words('database', '数据库'),
  secret: words('secret', '主密钥'),
  gateway: words('gateway', '网关'),
  'set-up': words('set-up', '初始化'),
  channels: words('channels', '渠道'),
  channel: words('channel', '渠道'),
  model: words('model', '模型'),
  setting: words('setting', '设置'),
  usage: words('usage', '用量'),
  ledger: words('ledger', '账本'),
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
