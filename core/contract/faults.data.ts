// What may be wrong with a value, in words. `{field}` is its label and path.
import type { Words } from '../errors.ts'

export const faults = {
  missing: { en: '{field} is missing', zh: '缺少{field}' },
  text: { en: '{field} must be a text', zh: '{field}必须是文本' },
  number: { en: '{field} must be a number', zh: '{field}必须是数字' },
  number_from: { en: '{field} must be a number of {min} or more', zh: '{field}必须是不小于 {min} 的数字' },
  number_to: { en: '{field} must be a number of at most {max}', zh: '{field}必须是不大于 {max} 的数字' },
  number_between: { en: '{field} must be a number from {min} to {max}', zh: '{field}必须是 {min} 到 {max} 之间的数字' },
  whole: { en: '{field} must be a whole number', zh: '{field}必须是整数' },
  whole_from: { en: '{field} must be a whole number of {min} or more', zh: '{field}必须是不小于 {min} 的整数' },
  whole_to: { en: '{field} must be a whole number of at most {max}', zh: '{field}必须是不大于 {max} 的整数' },
  whole_between: {
    en: '{field} must be a whole number from {min} to {max}',
    zh: '{field}必须是 {min} 到 {max} 之间的整数',
  },
  flag: { en: '{field} must be true or false', zh: '{field}必须是 true 或 false' },
  list: { en: '{field} must be a list', zh: '{field}必须是列表' },
  object: { en: '{field} must be an object of names and values', zh: '{field}必须是由名称和值组成的对象' },
  nothing: { en: '{field} must be null', zh: '{field}必须是 null' },
  empty: { en: '{field} must not be empty', zh: '{field}不能为空' },
  short: { en: '{field} must have at least {min} characters', zh: '{field}至少需要 {min} 个字符' },
  long: { en: '{field} must have at most {max} characters', zh: '{field}最多 {max} 个字符' },
  few: { en: '{field} must have at least {min} entries', zh: '{field}至少需要 {min} 项' },
  many: { en: '{field} must have at most {max} entries', zh: '{field}最多 {max} 项' },
  choice: { en: '{field} must be one of {choices}', zh: '{field}必须是以下之一：{choices}' },
  address: {
    en: '{field} must be an address that begins with http:// or https://',
    zh: '{field}必须是以 http:// 或 https:// 开头的地址',
  },
  network: {
    en: '{field} must be an IP address or a network, like 203.0.113.9 or 203.0.113.0/24',
    zh: '{field}必须是 IP 地址或网段，例如 203.0.113.9 或 203.0.113.0/24',
  },
  name: { en: '{field} has a name that cannot be one: {name}', zh: '{field}中的名称无效：{name}' },
  unknown: { en: '{field} has a member that is not known: {name}', zh: '{field}中有未知的成员：{name}' },
  form: { en: '{field} is not written as it must be', zh: '{field}的格式不对' },
  kind: { en: '{field} has a value of a kind that does not belong there', zh: '{field}的值类型不对' },
} as const satisfies Record<string, Words>
