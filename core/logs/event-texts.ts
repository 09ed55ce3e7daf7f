// What the log says of an account's events: in the language its owner reads, with money in one form.
import type { Language } from '../errors.ts'
import { dollars } from '../pricing/display.ts'
import type { Settings } from '../settings/index.ts'
import { userSetting, type User } from '../users/user.ts'

type MoneyView = Pick<Settings, 'QuotaPerUnit' | 'DisplayInCurrencyEnabled'>

/** Quota in a log text: dollars with six decimals, or units where the site shows those. */
export const loggedQuota = (quota: number, { QuotaPerUnit, DisplayInCurrencyEnabled }: MoneyView): string =>
  DisplayInCurrencyEnabled ? dollars(quota / QuotaPerUnit, 6) : `${quota} quota`

const texts = {
  account: { en: 'New account: {quota}', zh: '新用户赠送 {quota}' },
  invited: { en: 'Invited: {quota}', zh: '受邀注册赠送 {quota}' },
  inviter: { en: 'Invitation reward: {quota}', zh: '邀请用户奖励 {quota}' },
  earnings: { en: 'Invitation earnings moved to the balance: {quota}', zh: '邀请收益划转至余额：{quota}' },
  redeemed: { en: 'Redeemed {quota} by code {id}', zh: '通过兑换码充值 {quota}，兑换码 ID {id}' },
  topup: { en: 'Online top-up: credited {quota}, paid {money}', zh: '在线充值成功，入账 {quota}，支付金额 {money}' },
  adjusted: {
    en: 'Quota changed by {who} from {before} to {after}',
    zh: '{who} 将用户额度从 {before} 修改为 {after}',
  },
} as const satisfies Record<string, Record<Language, string>>

/**
 * The text of an event of a user's account.
 * @param asking the language of who asks, for owners who have never said theirs
 */
export function eventText(
  name: keyof typeof texts,
  given: Record<string, string | number>,
  owner: Pick<User, 'setting'>,
  asking: Language = 'en',
): string {
  const text = texts[name][userSetting(owner).language ?? asking]
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => String(given[key] ?? whole))
}
