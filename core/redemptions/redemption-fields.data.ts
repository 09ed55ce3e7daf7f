// The fields of redemption codes, as administrators fill them in, and of redeeming one.
import type { Field } from '../contract/field.ts'
import { remarkField } from '../contract/remark.ts'
import { words } from '../errors.ts'

export const redemptionFields = {
  id: { label: words('Number', '编号'), help: words('Number of the code', '兑换码的编号'), example: 7 },
  name: {
    label: words('Name', '名称'),
    help: words('Name of the code, 1 to 20 characters', '兑换码名称，1 到 20 个字符'),
    example: 'spring',
  },
  quota: {
    label: words('Quota', '额度'),
    help: words('Value in quota units', '兑换可得的额度'),
    kind: 'quota',
    unit: words('quota units', '额度'),
    example: 500_000,
  },
  count: {
    label: words('Count', '数量'),
    help: words('How many codes to make, at most 100', '生成数量，最多 100 个'),
    example: 1,
  },
  status: {
    label: words('Status', '状态'),
    help: words('1 unused, 2 disabled, 3 redeemed', '1 未使用，2 已禁用，3 已使用'),
    example: 1,
  },
  expired_time: {
    label: words('Expiry', '过期时间'),
    flag: 'expires',
    help: words('Until when it can be redeemed, in epoch seconds', '可兑换的截止时间（Unix 秒）'),
    zero: words('no end', '永不过期'),
    kind: 'time',
    example: 0,
  },
  remark: remarkField,
  key: {
    label: words('Code', '兑换码'),
    help: words('The code', '兑换码'),
    example: '0123456789abcdef0123456789abcdef',
  },
} as const satisfies Record<string, Field>
