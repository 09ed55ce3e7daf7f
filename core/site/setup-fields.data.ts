// The fields of the first setup.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const setupFields = {
  username: {
    label: words('Username', '用户名'),
    help: words('Name of the administrator', '管理员用户名'),
    example: 'root',
  },
  password: {
    label: words('Password', '密码'),
    help: words('At least 8 characters', '至少 8 个字符'),
    kind: 'secret',
    example: 'a long password',
  },
  confirmPassword: {
    label: words('Password once more', '确认密码'),
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
    label: words('Setup code', '初始化代码'),
    help: words('Code that the server printed when it started', '服务启动时显示的代码'),
    notIn: { terminal: 'who is on the host needs no code' },
    example: '',
  },
} as const satisfies Record<string, Field>
