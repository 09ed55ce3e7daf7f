// The fields of a sign-in by a short code.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const deviceFields = {
  device_code: {
    label: words('Device code', '设备码'),
    help: words('The code that the program received', '程序发起请求时得到的设备码'),
    kind: 'secret',
    example: 'a device code',
  },
  user_code: {
    label: words('Code', '验证码'),
    help: words('The code that the program shows', '程序显示的验证码'),
    example: 'BCDF-GHJK',
  },
  allow: {
    label: words('Allow', '允许'),
    help: words('Whether it gets the access token', '是否授予访问令牌'),
    example: true,
  },
  expired_time: {
    label: words('Expiry', '过期时间'),
    help: words(
      'Expiry of the access token, in epoch seconds: within 366 days; 90 days by default',
      '访问令牌的过期时间（Unix 秒）：最长 366 天，默认 90 天',
    ),
    kind: 'time',
    example: 1_767_225_600,
  },
} as const satisfies Record<string, Field>
