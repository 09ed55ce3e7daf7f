// One line of a diagnosis.
import { words, type Words } from '../../core/errors.ts'
import type { Said } from '../language.ts'

/** What is looked at. */
export const CHECKS = {
  node: words('Node', 'Node'),
  'data folder': words('data folder', '数据目录'),
  'private files': words('private files', '文件权限'),
  'disk space': words('disk space', '磁盘空间'),
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
  /** Which one, where there are several. */
  about?: string
  state: 'ok' | 'warn' | 'fail'
  found: Said
  /** What to do about it. */
  fix?: Said
  /** What `--fix` does about it; it never takes anything that is not made again by itself. */
  repair?: Repair
  /** It was repaired, or could not be. */
  fixed?: boolean
}

export interface Repair {
  /** As in "Shall I …?" */
  what: Said
  run(): Promise<void>
}

type More = Pick<Finding, 'about' | 'repair'>

export const ok = (check: Check, found: Said, more: More = {}): Finding => ({ check, state: 'ok', found, ...more })
export const warn = (check: Check, found: Said, fix: Said, more: More = {}): Finding => ({
  ...{ check, state: 'warn', found, fix },
  ...more,
})
/** Without `fix` where `found` says it all. */
export const failed = (check: Check, found: Said, fix?: Said, more: More = {}): Finding => ({
  ...{ check, state: 'fail', found, ...(fix ? { fix } : {}) },
  ...more,
})

/** Are they about the same? */
export const isSame = (one: Finding, other: Finding): boolean => one.check === other.check && one.about === other.about
