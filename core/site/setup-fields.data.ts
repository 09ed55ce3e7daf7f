// The fields of the first setup.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const setupFields = {
  username: {
    label: words('Username', '用户名'),
    help: words('Name of the administrator, up to 12 characters', '管理员用户名，最多 12 个字符'),
    example: 'root',
  },
  password: {
    label: words('Password', '密码'),
    help: words('8 to 20 characters', '密码长度 8 到 20 位'),
    kind: 'secret',
    example: 'a long password',
  },
  confirmPassword: {
    label: words('Confirm password', '确认密码'),
    help: words('The password once more', '再次输入密码'),
    kind: 'secret',
    example: 'a long password',
  },
  SelfUseModeEnabled: {
    label: words('Self-use mode', '自用模式'),
    help: words('Whether the site is for one person alone', '站点是否仅供个人使用'),
    example: false,
  },
  DemoSiteEnabled: {
    label: words('Demo site', '演示站点'),
    help: words('Whether the site is for show', '站点是否用于演示'),
    example: false,
  },
  code: {
    label: words('One-time code', '一次性代码'),
    help: words('The server printed it in its terminal when it started', '服务器启动时在其终端中显示'),
    notIn: { terminal: 'who is on the host needs no code' },
    example: '',
  },
} as const satisfies Record<string, Field>
