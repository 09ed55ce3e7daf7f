// Where the unit of a service stands, and whose it is.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { words } from '../core/errors.ts'
import type { CommandEnvironment } from './command.ts'
import { Refusal, UsageError } from './failure.ts'
import { MARK } from './service-unit.ts'

/** Which unit is meant. */
export const kinds = {
  system: {
    flag: '--system',
    help: words('a unit of the whole machine (what root gets by default)', '系统服务（root 默认）'),
  },
  user: {
    flag: '--user',
    help: words('a unit of this user alone (what all others get by default)', '仅当前用户的服务（其他用户默认）'),
  },
  name: { flag: '--name <name>', help: words('of the unit (otherwise weir)', '单元名称（默认 weir）') },
} as const

const NAME = /^[a-z][\w-]{0,60}$/i

export interface Place {
  name: string
  kind: 'system' | 'user'
  /** The unit, and the variables that it reads. */
  unit: string
  variables: string
}

/** @throws UsageError */
export function placeOf({ system, user, name = 'weir' }: Chosen, { env, server }: CommandEnvironment): Place {
  if (server !== undefined)
    throw new UsageError(
      words(
        'service is about this machine and takes no --server (WEIR_SERVER).',
        'service 针对本机，不接受 --server（WEIR_SERVER）。',
      ),
    )
  if (system && user)
    throw new UsageError(words('--system and --user exclude each other.', '--system 与 --user 不能同时使用。'))
  if (!NAME.test(name))
    throw new UsageError(words('--name takes letters, digits and dashes.', '--name 只能用字母、数字与短横线。'))
  if (system || (!user && process.getuid?.() === 0))
    return { name, kind: 'system', unit: `/etc/systemd/system/${name}.service`, variables: `/etc/weir/${name}.env` }
  const home = env.XDG_CONFIG_HOME || (env.HOME && path.join(env.HOME, '.config'))
  if (!home) throw new UsageError(words('HOME is not set.', '未设置 HOME。'))
  const unit = path.join(home, 'systemd', 'user', `${name}.service`)
  return { name, kind: 'user', unit, variables: path.join(home, 'weir', `${name}.env`) }
}
type Chosen = { system?: boolean; user?: boolean; name?: string }

/** @throws Refusal */
export function needSystemd(): void {
  if (process.platform === 'linux') return
  throw new Refusal(
    words(
      'weir service installs units of systemd, on Linux. Elsewhere have your own service manager (launchd, a task of Windows) run `weir serve`; `weir service install --print` shows what a unit says.',
      'weir service 在 Linux 上安装 systemd 单元。其他系统请用自带的服务管理器（launchd、Windows 任务）运行 `weir serve`；`weir service install --print` 可显示单元内容。',
    ),
    'service.systemd',
  )
}

export const isOurs = (unit: string) => existsSync(unit) && readFileSync(unit, 'utf8').startsWith(MARK)

/** @throws Refusal */
export function refuseOthers({ unit }: Place): void {
  if (!existsSync(unit) || isOurs(unit)) return
  throw new Refusal(
    words(
      `${unit} was not written by Weir: it is left alone. Choose another --name.`,
      `${unit} 并非由 Weir 写入，不作改动。请用 --name 指定其他名称。`,
    ),
    'service.others',
  )
}
